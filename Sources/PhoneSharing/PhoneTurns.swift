import FoundationEssentials
import HostNetwork
import PeerCore
import Synchronization

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
    func pace(for client: String) -> DownloadTurn { DownloadTurn(of: client, in: self) }

    /// Lets those that wait send a little, until the task is cancelled.
    ///
    /// Without receivers, nothing else watches the clock.
    func tick() async {
        while (try? await Task.sleep(for: .milliseconds(250))) != nil { turns.tick() }
    }

    /// Returns the turn of a client.
    ///
    /// - Parameter size: The size of the file that it may want, in bytes.
    /// - Returns: Its turn; nil if it does not have to wait.
    func turn(of client: String, size: UInt64) -> PhoneTurn? {
        let own = running.withLock { $0.values.filter { $0.client == client }.compactMap(\.turn.place) }
        if let turn = own.max(by: { $0.place < $1.place }) {
            return turn.count > own.count ? .downloading(turn) : nil
        }
        let prospect = turns.prospect(on: Self.network(of: client), left: size)
        return prospect.place > 1 ? .waiting(prospect) : nil
    }

    /// Returns the place of the downloads of a client among others; nil if there are no others.
    func place(of client: String) -> TransferTurn? {
        guard case .downloading(let place)? = turn(of: client, size: 0) else { return nil }
        return place
    }

    func join(_ id: UUID, _ client: String, left: UInt64) -> SendingTurn {
        let turn = turns.join(on: Self.network(of: client), left: left)
        running.withLock { $0[id] = Running(client: client, turn: turn) }
        turn.set(isReady: true)
        return turn
    }

    func leave(_ id: UUID) { running.withLock { $0.removeValue(forKey: id) }?.turn.leave() }

    /// The name of the interface that leads to a client.
    private static func network(of client: String) -> String {
        let way = IPAddress(client).flatMap { Routes.way(to: $0) }
        // Without a way, the client is this machine.
        return way.flatMap { HostInterface.name(of: $0.interface) } ?? "lo"
    }
}
