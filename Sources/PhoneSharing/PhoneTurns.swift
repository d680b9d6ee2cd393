import FoundationEssentials
import HostNetwork
package import PeerCore
import Synchronization
import WebServer

/// The place of a phone among receivers and other downloads.
package enum PhoneTurn: Hashable, Sendable {
    /// The place of its download that is the last.
    case downloading(TransferTurn)
    /// The place that a download would have.
    case waiting(TransferTurn)
}

/// The turns of downloads from the page for phones, among receivers and other downloads.
final class PhoneTurns: Sendable {
    private struct Running {
        var client: String
        var turn: SendingTurn
    }

    /// The turns of all that are served.
    let turns = SendingTurns()
    /// The downloads that run, by a number of their own.
    private let running = Mutex<[UUID: Running]>([:])

    /// Makes the turn of a download to a client with an address.
    func pace(for client: String) -> any WebPace { DownloadTurn(of: client, in: self) }

    /// Lets those that wait send a little, until the task is cancelled.
    ///
    /// Without receivers, nobody else looks at the time.
    func tick() async {
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { turns.tick() }
    }

    /// Returns the turn of a client.
    ///
    /// - Parameters:
    ///   - client: The address of the client.
    ///   - size: The size of the file that it may want, in bytes.
    /// - Returns: Its turn; nil if nobody has to wait.
    func turn(of client: String, size: UInt64) -> PhoneTurn? {
        let own = running.withLock { $0.values.filter { $0.client == client }.compactMap(\.turn.place) }
        if let turn = own.max(by: { $0.place < $1.place }) {
            return turn.count > own.count ? .downloading(turn) : nil
        }
        let prospect = turns.prospect(on: Self.network(of: client), left: size)
        return prospect.place > 1 ? .waiting(prospect) : nil
    }

    fileprivate func join(_ id: UUID, _ client: String, left: UInt64) -> SendingTurn {
        let turn = turns.join(on: Self.network(of: client), left: left)
        running.withLock { $0[id] = Running(client: client, turn: turn) }
        turn.set(isReady: true)
        return turn
    }

    fileprivate func leave(_ id: UUID) {
        running.withLock { $0.removeValue(forKey: id) }?.turn.leave()
    }

    /// The name of the interface that leads to a client.
    private static func network(of client: String) -> String {
        let way = IPAddress(client).flatMap { Routes.way(to: $0) }
        // Without a way, the client is this machine.
        return way.flatMap { HostInterface.name(of: $0.interface) } ?? "lo"
    }
}

/// The turn of one download.
private final class DownloadTurn: WebPace {
    private struct State {
        var turn: SendingTurn?
        /// The length of the piece that is being sent.
        var sending = 0
    }

    /// The longest first piece, in bytes.
    private static let firstPiece = 16 * 1024

    private let id = UUID()
    private let client: String
    private let all: PhoneTurns
    private let state = Mutex(State())

    init(of client: String, in all: PhoneTurns) {
        self.client = client
        self.all = all
    }

    // A download has its turn from its first piece on, so many short downloads must not get a long piece each.
    var pieceLimit: Int { state.withLock { $0.turn }?.pieceLimit ?? Self.firstPiece }

    func wait(_ bytes: Int, left: UInt64) async {
        let turn = state.withLock { state in
            let turn = state.turn ?? all.join(id, client, left: left)
            turn.sent(state.sending, left: left)
            state.turn = turn
            state.sending = bytes
            return turn
        }
        // One that has left meanwhile learns it by the next write.
        _ = await turn.wait(bytes)
    }

    func leave() { all.leave(id) }
}
