import NIOCore
import PeerCore
import PeerProtocol

/// Messages of this side.
extension LinkDriver {
    /// Why the peer would not read a value of a type; nil if it would.
    func refusal(of name: String, version: Int) -> PeerError? {
        guard let known = peerTypes[name] else { return .notUnderstood(name) }
        return known < version ? .unsupportedVersion(of: name, known: known) : nil
    }

    /// Puts a message into the outbox; waits while it is full and there is a connection.
    func send(_ message: Message, on channel: LinkName) async throws(PeerError) {
        try await wait(for: .room) { state throws(PeerError) in try self.put(message, on: channel, &state) }
    }

    /// How long the peer has read nothing while an outbox was full; 0 while the peer reads.
    var stall: Duration { inspect { $0.outbox.stall.map { $0.since.duration(to: clock.now) } ?? .zero } }

    /// Whether a message still finds no room, and the peer has read nothing for this long.
    ///
    /// This changes nothing, so a member that does not read costs the others little.
    func isStalled(_ message: Message, on channel: LinkName, for patience: Duration) -> Bool {
        let since = inspect { state -> ContinuousClock.Instant? in
            guard let stall = state.outbox.stall, state.failure == nil, state.isAttached,
                let stream = state.outbox.stream(of: channel),
                state.streams.sentLength(of: stall.stream) == stall.sentLength,
                state.streams.isFull(for: message.form, message.payload.readableBytes, on: stream)
            else { return nil }
            return stall.since
        }
        return since.map { $0.duration(to: clock.now) >= patience } ?? false
    }

    /// Puts a message into the outbox if there is room.
    func sendAtOnce(_ message: Message, on channel: LinkName) throws(PeerError) -> Bool {
        if message.payload.withUnsafeReadableBytes({ queue(message.form, $0, on: channel) }) { return true }
        let outcome: Result<Bool, PeerError> = update { state in
            do throws(PeerError) {
                return .success(try put(message, on: channel, &state) != nil)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Puts a message into the outbox if it only has to wait there, because the last burst is still being written.
    func queue(_ form: Message.Form, _ payload: UnsafeRawBufferPointer, on channel: LinkName) -> Bool {
        changeQuietly { state in
            guard state.carrier?.isWriting == true, state.failure == nil, state.outbox.stall == nil,
                let stream = state.outbox.stream(of: channel)
            else { return false }
            return state.streams.write(form, payload, to: stream) == .queued
        }
    }

    private func put(_ message: Message, on channel: LinkName, _ state: inout LinkState) throws(PeerError) -> Void? {
        try check(state)
        guard let stream = try stream(for: channel, &state) else { return try Self.waitOrMiss(state) }
        // A short message can find room although the peer reads nothing, so only sent bytes end the stall.
        if let stall = state.outbox.stall, state.streams.sentLength(of: stall.stream) != stall.sentLength {
            state.outbox.stall = nil
        }
        switch state.streams.write(message, to: stream) {
        case .queued: return ()
        case .full:
            if state.outbox.stall == nil {
                let sent = state.streams.sentLength(of: stream)
                state.outbox.stall = LinkState.Stall(since: clock.now, stream: stream, sentLength: sent)
            }
            return try Self.waitOrMiss(state)
        case .tooLong: throw .messageTooLong(message.payload.readableBytes, state.streams.peer.maximumMessageLength)
        case .refuse:
            state.outbox.forget(stream)
            throw .channelRefused
        }
    }

    /// Sends a droppable message; returns false if it was dropped at this side.
    func sendDroppable(_ message: DroppableMessage, within age: Duration) -> Bool {
        update { state in
            guard state.failure == nil else { return false }
            return state.streams.sendDroppable(message, expiry: clock.now + age) != .dropped
        }
    }

    /// Waits until the peer's library has received everything that was sent so far.
    func flush(until deadline: ContinuousClock.Instant) async throws(PeerError) {
        try await wait(for: .acknowledgement, until: deadline, orThrow: .notFlushed) { state throws(PeerError) in
            try self.check(state)
            return state.records.isAcknowledged && !state.streams.hasOutgoing ? () : nil
        }
    }

    /// Waits until the system has taken everything that was sent so far.
    func drain() async throws(PeerError) {
        try await wait(for: .room) { state throws(PeerError) in
            try self.check(state)
            guard let carrier = state.carrier else { throw .notConnected }
            return state.streams.hasOutgoing || carrier.isWriting ? nil : ()
        }
    }

    /// Throws the error of a link that has ended.
    func check(_ state: LinkState) throws(PeerError) { if let failure = state.failure { throw failure } }

    private func stream(for channel: LinkName, _ state: inout LinkState) throws(PeerError) -> UInt32? {
        if let stream = state.outbox.stream(of: channel) { return stream }
        // The other side would refuse it, and drop the messages on it.
        guard state.outbox.count < limits.maximumChannelCount else { throw .channelRefused }
        switch state.streams.open(.messages, named: channel.text) {
        case .use(let stream):
            state.outbox.add(stream, for: channel)
            return stream
        case .full: return nil
        case .refuse: throw .channelRefused
        }
    }

    /// Waits only while connected, so a disconnected peer never blocks a send.
    private static func waitOrMiss(_ state: LinkState) throws(PeerError) -> Void? {
        guard state.isAttached else { throw .outboxFull }
        return nil
    }
}

extension Message.Form {
    /// The name of the type; nil for raw bytes.
    var name: LinkName? {
        switch self {
        case .bytes: nil
        case .json(let name, _): name
        }
    }
}
