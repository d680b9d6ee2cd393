import NIOConcurrencyHelpers
import PeerProtocol

/// The attached connections that a listener expects.
final class ExpectedAttachments: Sendable {
    /// A connection that has presented its secret.
    struct Arrival: Sendable {
        var connection: FrameConnection
        /// How far its conversation is.
        var machine: ConversationStateMachine
        var slot: ConversationEnvironment.Slot
        /// The transfer that receives the connection's inputs from now on; nil if it was refused.
        let receiver = Awaited<(any InboundReceiver)?>()
    }

    private struct Entry {
        var secret: ConnectionSecret
        var peer: PeerID
        var arrival: Awaited<Arrival?>
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var lastNumber = 0
    }

    private let state = NIOLockedValueBox(State())

    /// Waits for a connection; nil if it does not come in time, or if the task is cancelled.
    ///
    /// `ready` is called when the connection is expected.
    func arrival(
        presenting secret: ConnectionSecret,
        from peer: PeerID,
        within limit: Duration,
        by clock: any PeerClock,
        ready: @Sendable () -> Void
    ) async -> Arrival? {
        let arrival = Awaited<Arrival?>()
        let number = state.withLockedValue { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(secret: secret, peer: peer, arrival: arrival)
            return state.lastNumber
        }
        let cancelTimer = clock.schedule(at: clock.now.advanced(by: limit)) { arrival.fulfil(nil) }
        defer {
            cancelTimer()
            state.withLockedValue { $0.entries[number] = nil }
        }
        // The entry is stored before the other side learns the secret, because it may dial at once.
        if !Task.isCancelled { ready() }
        return await arrival.value(ifCancelled: nil)
    }

    /// Hands over a connection; false if it is not expected, or not from this peer.
    func hand(_ arrival: Arrival, presenting secret: ConnectionSecret, from peer: PeerID) -> Bool {
        let entry = state.withLockedValue { state -> Entry? in
            // Every secret is compared, so that the duration reveals nothing about them.
            let matching = state.entries.filter { $0.value.secret == secret }
            guard let (number, entry) = matching.first, entry.peer == peer else { return nil }
            state.entries[number] = nil
            return entry
        }
        return entry?.arrival.offer(arrival) ?? false
    }
}
