import NIOConcurrencyHelpers
import NIOCore
import PeerCore

extension InMemoryConnection {
    func awaitLongFrames() {
        state.withLockedValue { $0.reader.awaitLongFrames() }
    }

    /// Bytes have arrived; called on the executor of the network.
    func receive(_ bytes: ByteBuffer) {
        var types: [FrameType] = []
        let (taken, other) = state.withLockedValue { state -> (Int, InMemoryConnection?) in
            guard state.phase == .open, !state.isSilent else { return (0, nil) }
            state.lastReceipt = clock.now
            var taken = bytes.readableBytes
            for output in state.reader.read(bytes, note: { types.append($0) }) {
                switch output {
                case .event(let event, let length):
                    state.inbox.append((event, length))
                    taken -= length
                case .ping(let ping):
                    perform(state.pings.receivedPing(ping), in: &state)
                case .pong(let pong):
                    receivedPong(pong, in: &state)
                }
            }
            return (max(0, taken), state.other)
        }
        network.note(types.map { "\($0)" }, from: otherMachine, to: machine)
        other?.took(taken)
        network.serialExecutor.execute(transmit)
        wakeSession()
    }

    private func receivedPong(_ pong: Ping, in state: inout State) {
        if case .fail(let error) = state.pings.receivedPong(pong) {
            state.reader.finish()
            state.inbox.append((.invalid(error), 0))
        }
        // A peer may leave out earlier pings.
        for waiting in state.roundTrips where waiting.ping.nonce <= pong.nonce {
            waiting.duration.fulfil(waiting.start.duration(to: clock.now))
        }
        state.roundTrips.removeAll { $0.ping.nonce <= pong.nonce }
    }

    private func wakeSession() {
        let (next, event) = state.withLockedValue { state -> (Awaited<PeerConnectionEvent?>?, PeerConnectionEvent?) in
            guard let next = state.next, let (event, length) = state.inbox.popFirst() else { return (nil, nil) }
            state.next = nil
            state.other?.tookLater(length)
            return (next, event)
        }
        next?.fulfil(event)
    }

    private func tookLater(_ count: Int) {
        network.serialExecutor.execute { self.took(count) }
    }

    /// Waits for the next event.
    ///
    /// - Returns: The event; nil if the connection has ended.
    func nextEvent() async -> PeerConnectionEvent? {
        let next = Awaited<PeerConnectionEvent?>()
        state.withLockedValue { state in
            if let (event, length) = state.inbox.popFirst() {
                state.other?.tookLater(length)
                next.fulfil(event)
            } else if state.phase == .open {
                state.next = next
            } else {
                next.fulfil(nil)
            }
        }
        return await next.value(ifCancelled: nil)
    }
}
