import NIOCore
import PeerCore
import PeerProtocol

/// Processing of received frames.
extension LinkDriver {
    /// Processes frames that arrived together over a connection, in one step.
    func received(_ frames: [Frame], on connection: UInt64) {
        update { state in
            for frame in frames {
                // Frames of an old connection are sent again on the new one, so they do not count.
                guard state.failure == nil, state.carrier?.number == connection else { return }
                do throws(ProtocolError) {
                    try take(frame, on: connection, &state)
                } catch {
                    violate(&state, error)
                }
            }
        }
    }

    private func take(_ frame: Frame, on connection: UInt64, _ state: inout LinkState) throws(ProtocolError) {
        switch frame {
        case .record(let record):
            guard
                case .deliver = state.records.received(length: record.length, on: connection, at: clock.now)
            else { return }
            state.traffic.received &+= UInt64(record.length)
            try take(record, &state)
        case .credit(let credit):
            switch state.records.receivedAcknowledgement(credit.received, on: connection) {
            case .violated(let error): throw error
            case .release:
                state.waits.wake(.acknowledgement)
                state.waits.wake(.room)
            case .none: break
            }
            if case .violated(let error) = state.streams.received(credit.limits) { throw error }
        case .droppable(let message):
            state.traffic.received &+= UInt64(message.length)
            if state.streams.received(message) { settleDroppable(message.channel, &state) }
        default: throw ProtocolError.unexpected(frame.type)
        }
    }

    private func take(_ record: Record, _ state: inout LinkState) throws(ProtocolError) {
        switch record.kind {
        case .open: try receivedOpen(try StreamOpening(decoding: record.payload), &state)
        case .bytes:
            let bytes = try StreamBytes(decoding: record.payload)
            switch state.streams.received(bytes) {
            case .readable: try noteReadable(bytes.stream, &state)
            case .requests(let events): received(events, &state)
            case .violated(let error): throw error
            case .none: break
            }
        case .end: try receivedEnd(try StreamEnd(decoding: record.payload), &state)
        case .members: state.effects.notices.append(.members(try MemberList(decoding: record.payload)))
        case .resource: state.effects.notices.append(.resource(try ResourceNotice(decoding: record.payload)))
        }
    }

    private func receivedOpen(_ opening: StreamOpening, _ state: inout LinkState) throws(ProtocolError) {
        switch state.streams.receivedOpen(opening) {
        case .violated(let error): throw error
        case .refuse, .none: return
        case .offer: break
        }
        let name = LinkName(opening.name)
        switch (opening.kind, name) {
        case (.messages, let name?):
            switch state.channels[name, default: .init()].opened(opening.stream) {
            case .accept:
                state.streams.accept(opening.stream)
                state.inbound[opening.stream] = name
            case .refuse: state.streams.cancel(opening.stream, code: .refused, reason: "This channel is open already.")
            }
        case (.bytes, _):
            state.handles.open.insert(opening.stream)
            state.handles.untakenStreams.insert(opening.stream)
            state.effects.notices.append(.stream(opening))
        case (.requests, _), (.longRequests, _): break
        case (.messages, nil):
            throw ProtocolError(.invalidFrame, "The other side opened a stream with a name that is not allowed.")
        }
    }

    private func receivedEnd(_ end: StreamEnd, _ state: inout LinkState) throws(ProtocolError) {
        switch state.streams.receivedEnd(end) {
        case .violated(let error): throw error
        case .none: return
        case .finished, .cancelled: break
        }
        if state.handles.open.contains(end.stream) { state.handles.ends[end.stream] = end }
        state.handles.discarded.remove(end.stream)
        if end.code != .finished {
            // What waited to be sent on the stream is dropped, so `flush` may have nothing left to wait for.
            state.waits.wake(.acknowledgement)
            if state.handles.untakenStreams.contains(end.stream) {
                forget(end.stream, &state)
                state.effects.notices.append(.withdrawn(end.stream))
            }
            // The peer has dropped what it had not read of the channel.
            if state.outbox.forget(end.stream) { loss.note() }
        }
        if let channel = state.inbound[end.stream] {
            let isCancelled = end.code != .finished
            if isCancelled { state.inbound[end.stream] = nil }
            state.channels[channel]?.ended(end.stream, isCancelled: isCancelled)
            try settle(channel, &state)
            state.forgetIfUnused(channel)
        }
        state.waits.wake(.stream(end.stream))
        state.waits.wake(.room)
    }

    private func noteReadable(_ stream: UInt32, _ state: inout LinkState) throws(ProtocolError) {
        if state.handles.discarded.contains(stream) {
            drop(stream, &state)
        } else if let channel = state.inbound[stream] {
            try settle(channel, &state)
        }
        state.waits.wake(.stream(stream))
    }

    /// Announces the next message of a channel to its reader, and discards messages without a reader.
    func settle(_ channel: LinkName, _ state: inout LinkState) throws(ProtocolError) {
        while let stream = state.channels[channel]?.nextStream {
            if let form = try state.nextForm(stream) {
                let key = Inboxes.Key(channel: channel, name: form.name)
                let hasReader = isRead(key, form, &state) { inboxes.keeps(key, at: { clock.now }) }
                switch state.channels[channel, default: .init()].found(for: key.name, hasReader: hasReader) {
                case .announce: return state.effects.ready.append(key)
                case .discard: _ = try state.nextMessage(stream)
                case .none: return
                }
            } else if state.streams.hasReceivedAll(stream) {
                state.inbound[stream] = nil
                state.channels[channel]?.readAll(stream)
                state.forgetIfUnused(channel)
            } else {
                return
            }
        }
    }

    /// Announces the next droppable message of a channel to its reader, and discards those without a reader.
    func settleDroppable(_ channel: LinkName, _ state: inout LinkState) {
        // A message in the queue can still be replaced by a newer one. At the front it cannot, so only one is taken there.
        while state.channels[channel]?.droppable == nil, let next = state.streams.readDroppable(on: channel) {
            found(next.message, on: channel, &state)
        }
    }

    func found(_ droppable: Message, on channel: LinkName, _ state: inout LinkState) {
        let key = Inboxes.Key(channel: channel, name: droppable.form.name)
        // It is worthless when it is late, so it does not wait for a reader.
        let hasReader = isRead(key, droppable.form, &state) { inboxes.hasReader(key) }
        switch state.channels[channel, default: .init()].foundDroppable(droppable, hasReader: hasReader) {
        case .announce: state.effects.ready.append(key)
        // A droppable message needs no stream, so this may be a channel that has no reader and was never opened.
        case .discard: state.forgetIfUnused(channel)
        case .none: break
        }
    }

    /// Whether a message is understood and has a reader, or waits for one; reports a message that is discarded.
    private func isRead(
        _ key: Inboxes.Key,
        _ form: Message.Form,
        _ state: inout LinkState,
        _ hasReader: () -> Bool
    ) -> Bool {
        if case .json(let name, let version) = form {
            guard let known = inboxes.version(of: name.text), version <= known else {
                report(.notUnderstood(name.text, Int(version)), name.text, &state)
                return false
            }
        }
        if hasReader() { return true }
        let name = key.text
        report(.unread(name), name, &state)
        return false
    }

    /// Whether to tell the application of a message that it cannot read.
    func allowsReport(_ name: String) -> Bool { update { $0.reports.allows(name, at: clock.now) } }

    func report(_ notice: LinkState.Notice, _ name: String, _ state: inout LinkState) {
        if state.reports.allows(name, at: clock.now) { state.effects.notices.append(notice) }
    }
}
