import PeerCore
import PeerProtocol

/// The connections of a session, by their numbers.
struct ConnectionTable {
    private(set) var records: [Int: ConnectionRecord] = [:]
    private var lastNumber = 0

    /// The record of a connection; nil if it is closed.
    subscript(number: Int) -> ConnectionRecord? {
        get { records[number] }
        _modify { yield &records[number] }
    }

    /// Returns the next number of a connection or a call; these share one sequence, so that it is known what began first.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Gives a connection that the peer has dialed its name for the peer's machine.
    mutating func name(_ number: Int, in entry: inout PeerEntry) -> MeetingConnection {
        let name = MeetingConnection.incoming(UInt64(number))
        records[number]?.name = name
        entry.connections[name] = number
        return name
    }

    /// Removes the name of a connection from the peer's entry, because the peer's machine hears of its end now.
    mutating func unname(_ number: Int, in entry: inout PeerEntry?) -> MeetingConnection? {
        guard let name = records[number]?.name else { return nil }
        records[number]?.name = nil
        entry?.connections[name] = nil
        return name
    }

    var isEmpty: Bool { records.isEmpty }

    /// The numbers of all connections, the oldest first.
    var numbers: [Int] { records.keys.sorted() }

    /// The connections with a peer, or with all, that have not ended, the oldest first.
    func unfinished(with id: PeerID? = nil) -> [Int] {
        numbers.filter { number in
            records[number].map { !$0.isFinished && (id == nil || $0.peer == id) } ?? false
        }
    }

    /// The connection of a peer whose request for a link waits for the peer's introduction.
    func awaitingIntroduction(of id: PeerID) -> ConnectionRecord? {
        records.values.first { $0.peer == id && $0.name == nil && $0.conversation.state.awaitsIntroduction }
    }

    /// How many connections carry the link with each peer.
    var carrierCounts: [PeerID: Int] {
        records.values.reduce(into: [:]) { counts, record in
            if let id = record.peer, record.route.isSet { counts[id, default: 0] += 1 }
        }
    }
}
