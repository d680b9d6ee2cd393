import NIOCore
import PeerCore
import PeerProtocol

/// Messages of this side, and messages for readers here.
extension LinkDriver {
    /// Puts a message into the outbox; waits while it is full and there is a connection.
    ///
    /// - Throws: ``PeerError`` if the message cannot be sent.
    func send(_ message: Message, on channel: LinkName) async throws(PeerError) {
        try await wait(for: .room) { state throws(PeerError) in try self.put(message, on: channel, &state) }
    }

    /// Puts a message into the outbox if there is room.
    ///
    /// - Returns: Whether there was.
    /// - Throws: ``PeerError`` if the message cannot be sent.
    func sendAtOnce(_ message: Message, on channel: LinkName) throws(PeerError) -> Bool {
        let outcome: Result<Bool, PeerError> = update { state in
            do throws(PeerError) {
                return .success(try put(message, on: channel, &state) != nil)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private func put(_ message: Message, on channel: LinkName, _ state: inout LinkState) throws(PeerError) -> Void? {
        try check(state)
        guard let stream = try stream(for: channel, &state) else { return try Self.waitOrMiss(state) }
        switch state.streams.write(message, to: stream) {
        case .queued: return ()
        case .full: return try Self.waitOrMiss(state)
        case .tooLong: throw .messageTooLong(message.payload.readableBytes, state.streams.peer.maximumMessageLength)
        case .refuse:
            state.channels.outbound[channel] = nil
            throw .channelRefused
        }
    }

    /// Sends a message at once, or not at all.
    ///
    /// - Returns: Whether it was not dropped here.
    func sendDroppable(_ message: DroppableMessage, within age: Duration) -> Bool {
        update { state in
            guard state.failure == nil else { return false }
            return state.streams.sendDroppable(message, expiry: clock.now + age) != .dropped
        }
    }

    /// Waits until everything that was sent so far is with the peer's library.
    ///
    /// - Throws: ``PeerError`` if the link ends before.
    func flush() async throws(PeerError) {
        try await wait(for: .acknowledgement) { state throws(PeerError) in
            try self.check(state)
            return state.records.isAcknowledged && !state.streams.hasOutgoing ? () : nil
        }
    }

    /// Waits until everything that was sent so far is with the system.
    ///
    /// - Throws: ``PeerError`` if the link ends before.
    func drain() async throws(PeerError) {
        try await wait(for: .room) { state throws(PeerError) in
            try self.check(state)
            guard let carrier = state.carrier else { throw .notConnected }
            return state.streams.hasOutgoing || carrier.isWriting ? nil : ()
        }
    }

    /// Takes the next message for a reader; nil if there is none.
    func takeMessage(named name: LinkName?, on channel: LinkName) -> Message? {
        let ready = ReadyMessage(channel: channel, name: name)
        return update { state in
            state.channels.announced.remove(ready)
            defer { if state.hasFront(for: ready) { state.announce(ready) } }
            if let message = state.channels.droppableFronts[channel], message.form.name == name {
                state.channels.droppableFronts[channel] = nil
                settleDroppable(channel, &state)
                return message
            }
            guard let stream = state.channels.inbound.first(where: { $0.value == channel })?.key,
                let form = state.channels.fronts[stream], form.name == name
            else { return nil }
            state.channels.fronts[stream] = nil
            do throws(ProtocolError) {
                let message = try state.nextMessage(stream)
                try settleFront(stream, &state)
                return message
            } catch {
                violate(&state, error)
                return nil
            }
        }
    }

    /// A reader has gone: a message that waits for it is dropped, so that it does not hold up its channel.
    func settle() {
        update { state in
            // A new reader may be there already, which has not been told of anything.
            state.channels.announced = []
            defer {
                for (stream, form) in state.channels.fronts {
                    guard let channel = state.channels.inbound[stream] else { continue }
                    state.announce(ReadyMessage(channel: channel, name: form.name))
                }
                for (channel, message) in state.channels.droppableFronts {
                    state.announce(ReadyMessage(channel: channel, name: message.form.name))
                }
            }
            for (stream, form) in state.channels.fronts {
                guard let channel = state.channels.inbound[stream], !inboxes.hasReader(of: form.name, on: channel)
                else { continue }
                state.channels.fronts[stream] = nil
                do throws(ProtocolError) {
                    try settleFront(stream, &state)
                } catch {
                    return violate(&state, error)
                }
            }
            for (channel, message) in state.channels.droppableFronts
            where !inboxes.hasReader(of: message.form.name, on: channel) {
                state.channels.droppableFronts[channel] = nil
                settleDroppable(channel, &state)
            }
        }
    }

    /// Throws the error with which the link has ended.
    func check(_ state: LinkState) throws(PeerError) {
        if let failure = state.failure { throw failure }
    }

    private func stream(for channel: LinkName, _ state: inout LinkState) throws(PeerError) -> UInt32? {
        if let stream = state.channels.outbound[channel] { return stream }
        switch state.streams.open(.messages, named: channel.text) {
        case .use(let stream):
            state.channels.outbound[channel] = stream
            return stream
        case .full: return nil
        case .refuse: throw .channelRefused
        }
    }

    /// Waits while there is a connection; whoever is away holds up nobody.
    private static func waitOrMiss(_ state: LinkState) throws(PeerError) -> Void? {
        guard state.isAttached else { throw .outboxFull }
        return nil
    }
}

extension Message.Form {
    /// The name of the type; nil for bytes as they are.
    var name: LinkName? {
        switch self {
        case .bytes: nil
        case .json(let name, _): name
        }
    }
}
