import PeerCore
import PeerProtocol

/// The connections that carry the link, one after the other.
extension LinkDriver {
    /// Prepares the link for a new connection; returns the number of received records, or nil if the link has ended.
    ///
    /// Frames that arrive over the old connection are ignored from now on.
    func prepare() -> UInt64? {
        update { state in
            state.streams.detached()
            state.carrier = nil
            guard case .announce(let count) = state.records.prepare(at: clock.now) else { return nil }
            return count
        }
    }

    /// Attaches a connection, which carries the link from now on.
    func attach(to connection: any PeerConnection, _ number: UInt64, received count: UInt64) {
        update { state in
            switch state.records.attached(to: number, received: count) {
            case .replay(let records):
                state.carrier = LinkState.Carrier(connection: connection, number: number)
                state.streams.attached()
                // This counts as a burst, so no new record can overtake the replayed ones.
                write(records.map { .record($0) }, &state)
                state.waits.wake(.acknowledgement)
            case .violated(let error): violate(&state, error)
            case .none: break
            }
        }
    }

    /// Detaches a connection that has ended.
    func detach(from number: UInt64) {
        update { state in
            // A newer connection may carry the link by now.
            guard state.carrier?.number == number else { return }
            state.carrier = nil
            state.streams.detached()
            state.records.detached(from: number, at: clock.now)
            // Nothing waits for room at a peer that is away.
            state.waits.wake(.room)
        }
    }
}
