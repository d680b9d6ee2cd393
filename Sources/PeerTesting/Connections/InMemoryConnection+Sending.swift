import NIOConcurrencyHelpers
import NIOCore
import PeerCore

extension InMemoryConnection {
    func send(_ frames: [Frame], written: (@Sendable () -> Void)?) {
        let isTaken = state.withLockedValue { state in
            guard state.phase == .open else { return false }
            do {
                for (index, frame) in frames.enumerated() {
                    let isLast = index == frames.count - 1
                    try append(frame, written: isLast ? written : nil, to: &state)
                }
                return !frames.isEmpty
            } catch {
                return false
            }
        }
        if isTaken { return network.serialExecutor.execute(transmit) }
        // A frame that cannot be encoded ends a real connection, too.
        if !frames.isEmpty { abort() }
        if let written { network.serialExecutor.execute(written) }
    }

    /// Sends bytes of any kind, as a peer that breaks the protocol does.
    func send(bytes: ByteBuffer) {
        state.withLockedValue { state in
            if state.phase == .open { state.line.append(Line.Parcel(bytes: bytes)) }
        }
        network.serialExecutor.execute(transmit)
    }

    func sendKeepAlive() {
        let isSent = state.withLockedValue { state in
            // A peer that does not read gets no further pings.
            guard !state.isKeepAliveWaiting else { return false }
            state.isKeepAliveWaiting = true
            _ = sendPing(in: &state) { self.state.withLockedValue { $0.isKeepAliveWaiting = false } }
            return true
        }
        if isSent { network.serialExecutor.execute(transmit) }
    }

    func roundTrip() async -> Duration? {
        let duration = Awaited<Duration?>()
        state.withLockedValue { state in
            guard let ping = sendPing(in: &state) else { return duration.fulfil(nil) }
            state.roundTrips.append((ping, clock.now, duration))
        }
        network.serialExecutor.execute(transmit)
        return await duration.value(ifCancelled: nil)
    }

    private func sendPing(in state: inout State, written: (@Sendable () -> Void)? = nil) -> Ping? {
        guard state.phase == .open else { return nil }
        let ping = state.pings.nextPing()
        try? append(.ping(ping), written: written, to: &state)
        return ping
    }

    private func append(_ frame: Frame, written: (@Sendable () -> Void)?, to state: inout State) throws {
        var bytes = ByteBuffer()
        try encoder.write(frame, into: &bytes)
        state.line.append(Line.Parcel(bytes: bytes, written: written))
        perform(state.pings.sent(frame), in: &state)
    }

    /// Answers a ping if this is the time for it.
    func perform(_ action: PingStateMachine.OnPing, in state: inout State) {
        guard case .sendPong(let pong) = action else { return }
        try? append(.pong(pong), written: { self.pongWritten() }, to: &state)
    }

    private func pongWritten() {
        state.withLockedValue { perform($0.pings.pongWritten(), in: &$0) }
        network.serialExecutor.execute(transmit)
    }

    /// Lets bytes leave for as long as the line is free; called on the executor of the network.
    @Sendable func transmit() {
        while let length = state.withLockedValue({ $0.line.begin() }) {
            let time = network.accept(length, from: machine, to: otherMachine)
            guard time <= clock.now else {
                state.withLockedValue { $0.departure = time }
                _ = clock.schedule(at: time) {
                    self.finishParcel()
                    self.transmit()
                }
                return
            }
            finishParcel()
        }
    }

    /// Lets everything leave, in its time, although this side does not wait for it; called on the executor of the network.
    func handOver() {
        // Nothing of a side that has fallen silent arrives, so it takes none of the rate that other connections share.
        while state.withLockedValue({ $0.phase == .open && !$0.isSilent && !$0.line.isEmpty }) {
            if let departure = state.withLockedValue({ $0.departure }) {
                finishParcel(at: departure)
            } else if let length = state.withLockedValue({ $0.line.begin() }) {
                let departure = network.accept(length, from: machine, to: otherMachine)
                state.withLockedValue { $0.departure = departure }
            } else {
                return
            }
        }
    }

    /// The parcel that was leaving has left; it arrives after the delay.
    ///
    /// - Parameter departure: When it has left; nil for now.
    private func finishParcel(at departure: ContinuousClock.Instant? = nil) {
        let now = clock.now
        let delay = network.delay(from: machine, to: otherMachine)
        let (parcel, other, arrival) = state.withLockedValue { state in
            let parcel = state.line.finish()
            state.departure = nil
            guard parcel != nil, !state.losesInFlight, let other = state.other else {
                return (parcel, InMemoryConnection?.none, now)
            }
            let earliest = (departure ?? now).advanced(by: delay)
            let arrival = max(earliest, state.lastArrival ?? earliest)
            state.lastArrival = arrival
            state.inFlight += 1
            return (parcel, other, arrival)
        }
        guard let parcel else { return }
        parcel.written?()
        guard let other else { return }
        let isNext = state.withLockedValue { $0.inFlight == 1 }
        if isNext, arrival <= now { return arrive(parcel.bytes, at: other) }
        _ = clock.schedule(at: arrival) { self.arrive(parcel.bytes, at: other) }
    }

    private func arrive(_ bytes: ByteBuffer, at other: InMemoryConnection) {
        let isLost = state.withLockedValue { state in
            state.inFlight -= 1
            return state.losesInFlight
        }
        if !isLost { other.receive(bytes) }
    }

    /// The other side has taken bytes.
    func took(_ count: Int) {
        state.withLockedValue { $0.line.took(count) }
        network.serialExecutor.execute(transmit)
    }
}
