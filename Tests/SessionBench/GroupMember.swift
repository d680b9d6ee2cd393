import Foundation
import NearbyPeers

/// A member of a group, in a process of its own.
///
/// The member that sends invites all others, which are introduced to one another. The others count what arrives.
struct GroupMember: Sendable {
    let session: PeerSession
    let options: Options

    func run() async throws {
        // The readers come first: messages without a reader are discarded.
        let data = try session.data()
        let streams = try session.streams()
        let requests = try session.requests(Question.self)
        emit("listening", ["port": Double(await session.port)])
        let peers = try await join()
        emit("complete", [:])
        switch options.text("task") {
        case "count": try await count(data)
        case "stall": await stall(streams)
        case "send":
            var sender = GroupSender(session: session, peers: peers, options: options)
            try await sender.send()
        case "fill":
            var sender = GroupSender(session: session, peers: peers, options: options)
            try await sender.fill()
        default: try await Task.sleep(for: .seconds(3600))
        }
        withExtendedLifetime((data, streams, requests)) {}
    }

    /// Invites the members at the addresses of `--to`, and waits until all members say that they are linked with all others.
    ///
    /// - Returns: The members that were invited, in this order.
    private func join() async throws -> [PeerID] {
        let events = session.events()
        var peers: [PeerID] = []
        for text in options.text("to").split(separator: ",") {
            guard let address = PeerAddress(parsing: String(text)) else { throw Problem("\(text) is no address") }
            peers.append(try await session.invite(at: [address]))
        }
        if isComplete { return peers }
        for await _ in events where isComplete { return peers }
        throw Problem("the session has ended")
    }

    private var isComplete: Bool {
        let count = options.count("others")
        let links = session.links
        return session.connectedPeers.count == count && links.count == count + 1
            && links.values.allSatisfy { $0.count == count }
    }

    /// Counts the messages that arrive in the window whose begin the sender writes into them.
    ///
    /// It continues to read afterwards: the windows of all members are the same time.
    private func count(_ data: IncomingData) async throws {
        var check = OrderCheck(length: options.count("length", 64))
        var window = CountedWindow(seconds: options.number("seconds", 2))
        for await received in data {
            try check.came(received.message)
            let begin = NumberedBytes.read(received.message)?.time ?? 0
            if window.came(received.message.count, begin: begin, at: nanoseconds()) { emit("result", window.figures) }
        }
        throw Problem("the session has ended")
    }

    /// Accepts streams, and reads nothing: no bytes, no messages and no requests.
    private func stall(_ streams: IncomingStreams) async {
        var unread: [PeerStream] = []
        for await stream in streams { unread.append(stream) }
    }
}

/// Counts what arrives between two times of the clock that all processes share.
struct CountedWindow: Sendable {
    private let length: UInt64
    private var bytes = 0
    private var count = 0
    private var isOver = false

    init(seconds: Double) {
        length = UInt64(seconds * 1e9)
    }

    /// A message arrived.
    ///
    /// - Parameters:
    ///   - length: Its bytes.
    ///   - begin: When the window begins; 0 if the sender does not know yet.
    ///   - now: The time.
    /// - Returns: Whether it is the first message after the window.
    mutating func came(_ length: Int, begin: UInt64, at now: UInt64) -> Bool {
        guard begin > 0, now >= begin, !isOver else { return false }
        guard now < begin + self.length else {
            isOver = true
            return true
        }
        bytes += length
        count += 1
        return false
    }

    /// The messages in a second, and their megabytes.
    var figures: [String: Double] {
        let seconds = Double(length) / 1e9
        return ["rate": Double(count) / seconds, "megabytes": Double(bytes) / seconds / 1e6]
    }
}
