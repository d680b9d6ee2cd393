import NIOConcurrencyHelpers
import PeerProtocol

/// The attached connections that a listener expects.
final class ExpectedAttachments: Sendable {
    /// A connection that has presented its secret.
    struct Arrival: Sendable {
        var connection: FrameConnection
        /// How far its conversation is.
        var machine: ConversationStateMachine
        var place: ConversationEnvironment.Place
        /// The transfer that receives the connection's pieces from now on; nil if it was refused.
        let receiver = Awaited<(any PieceReceiver)?>()
    }

    private typealias Continuation = CheckedContinuation<Arrival?, Never>

    private struct Entry {
        var secret: ConnectionSecret
        var peer: PeerID
        var continuation: Continuation
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastNumber = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Waits for a connection.
    ///
    /// - Parameters:
    ///   - secret: What it must present.
    ///   - peer: Whose it must be.
    ///   - limit: How long to wait.
    ///   - clock: Tells the time.
    ///   - ready: Called when it is expected.
    /// - Returns: The connection; nil if it does not come in time, or if the task is cancelled.
    func arrival(
        presenting secret: ConnectionSecret,
        from peer: PeerID,
        within limit: Duration,
        by clock: any PeerClock,
        ready: @Sendable () -> Void
    ) async -> Arrival? {
        let number = state.withLockedValue { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let cancelTimer = clock.schedule(at: clock.now.advanced(by: limit)) { self.giveUp(number) }
        defer { cancelTimer() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Continuation) in
                let entry = Entry(secret: secret, peer: peer, continuation: continuation)
                state.withLockedValue { $0.entries[number] = entry }
                // The entry is stored before the other side learns the secret, because it may dial at once. A cancellation that
                // came before the entry was stored did not find it.
                if Task.isCancelled { giveUp(number) } else { ready() }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    /// Hands over a connection; false if nobody expects it, or not from this peer.
    func hand(_ arrival: Arrival, presenting secret: ConnectionSecret, from peer: PeerID) -> Bool {
        let entry = state.withLockedValue { state -> Entry? in
            // Every secret is compared, so that the duration reveals nothing about them.
            let matching = state.entries.filter { $0.value.secret == secret }
            guard let (number, entry) = matching.first, entry.peer == peer else { return nil }
            state.entries[number] = nil
            return entry
        }
        entry?.continuation.resume(returning: arrival)
        return entry != nil
    }

    private func giveUp(_ number: Int) {
        state.withLockedValue { $0.entries.removeValue(forKey: number) }?.continuation.resume(returning: nil)
    }
}
