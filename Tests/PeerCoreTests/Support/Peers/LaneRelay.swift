import Foundation
import PeerTestSupport

/// Somebody on the way who can spoil some of the connections between two sides, and counts them.
final class LaneRelay: Sendable {
    /// What becomes of a connection.
    enum Fate: Sendable {
        case passes
        /// It ends when so many bytes have come from the sender.
        case endsAfter(Int)
        /// Nothing of it arrives any more when so many bytes have come from the sender; it stays open.
        case holdsAfter(Int)
    }

    private struct State {
        var accepted = 0
        var open = 0
        var fromSender: [Int] = []
    }

    private let state = Locked(State())
    private let changes = AsyncStream.makeStream(of: Void.self)

    /// How many connections there were.
    var acceptedCount: Int { state.withLock { $0.accepted } }

    /// Waits until no connection is open.
    func waitUntilAllEnded() async {
        if state.withLock({ $0.open == 0 }) { return }
        for await _ in changes.stream where state.withLock({ $0.open == 0 }) { return }
    }

    /// Stands in front of a sender for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - port: The sender's port.
    ///   - fate: What becomes of each connection, by the order in which they come, from 0.
    ///   - counted: Called with a connection and how many bytes have come from the sender on it, before they go on; may
    ///     wait.
    ///   - body: Called with the relay and its port.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    static func with<Result>(
        toPort port: Int,
        fate: @escaping @Sendable (Int) -> Fate = { _ in .passes },
        counted: @escaping @Sendable (Int, Int) -> Void = { _, _ in },
        _ body: (LaneRelay, Int) async throws -> Result
    ) async throws -> Result {
        let relay = LaneRelay()
        return try await RawServer.with { connection in
            relay.serve(connection, toPort: port, fate, counted)
        } _: { server in
            try await body(relay, server.port)
        }
    }

    private func serve(
        _ receiver: RawConnection,
        toPort port: Int,
        _ fate: @Sendable (Int) -> Fate,
        _ counted: @Sendable (Int, Int) -> Void
    ) {
        guard let sender = try? RawConnection(toPort: port) else { return }
        let number = state.withLock { state in
            defer { state.accepted += 1 }
            state.open += 1
            state.fromSender.append(0)
            return state.accepted
        }
        Thread.detachNewThread {
            while case let bytes = receiver.read(), !bytes.isEmpty, sender.write(bytes) {}
            sender.end()
        }
        let fate = fate(number)
        loop: while case let bytes = sender.read(), !bytes.isEmpty {
            let count = state.withLock { state in
                state.fromSender[number] += bytes.count
                return state.fromSender[number]
            }
            counted(number, count)
            switch fate {
            case .endsAfter(let limit) where count > limit: break loop
            case .holdsAfter(let limit) where count > limit: continue
            case .passes, .endsAfter, .holdsAfter: break
            }
            guard receiver.write(bytes) else { break }
        }
        if case .holdsAfter = fate {
            // The receiver learns nothing of the end.
            receiver.readToEnd()
        }
        receiver.end()
        sender.end()
        state.withLock { $0.open -= 1 }
        changes.continuation.yield()
    }
}
