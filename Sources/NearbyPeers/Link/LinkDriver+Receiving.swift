import NIOCore
import PeerCore
import PeerProtocol

/// Processing of received frames.
extension LinkDriver {
    /// Processes a frame that arrived over a connection.
    func received(_ frame: Frame, on connection: UInt64) {
        update { state in
            guard state.failure == nil, state.carrier?.number == connection else { return }
            do throws(ProtocolError) {
                try take(frame, on: connection, &state)
            } catch {
                violate(&state, error)
            }
        }
    }

    private func take(_ frame: Frame, on connection: UInt64, _ state: inout LinkState) throws(ProtocolError) {
        switch frame {
        case .record(let record):
            guard
                case .deliver = state.records.received(
                    length: record.length,
                    on: connection,
                    at: clock.now
                )
            else { return }
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
            if state.streams.received(message) { settleDroppable(message.channel, &state) }
        default:
            throw ProtocolError.unexpected(frame.type)
        }
    }

    private func take(_ record: Record, _ state: inout LinkState) throws(ProtocolError) {
        switch record.kind {
        case .open:
            try receivedOpen(try StreamOpening(decoding: record.payload), &state)
        case .bytes:
            let bytes = try StreamBytes(decoding: record.payload)
            switch state.streams.received(bytes) {
            case .readable: try noteReadable(bytes.stream, &state)
            case .violated(let error): throw error
            case .none: break
            }
        case .end:
            try receivedEnd(try StreamEnd(decoding: record.payload), &state)
        case .members:
            state.effects.notices.append(.members(try MemberList(decoding: record.payload)))
        case .resource:
            state.effects.notices.append(.resource(try ResourceNotice(decoding: record.payload)))
        }
    }

    private func receivedOpen(_ opening: StreamOpening, _ state: inout LinkState) throws(ProtocolError) {
        switch state.streams.receivedOpen(opening) {
        case .violated(let error): throw error
        case .refuse: return
        case .offer: break
        }
        let name = LinkName(opening.name)
        switch (opening.kind, name) {
        case (.messages, let name?):
            guard !state.isOpen(name) else {
                state.streams.cancel(opening.stream, code: .refused, reason: "This channel is open already.")
                return
            }
            state.streams.accept(opening.stream)
            state.channels.inbound[opening.stream] = name
        case (.request, let name?):
            guard inboxes.answers(name.text) else {
                state.streams.cancel(opening.stream, code: .notTaken)
                report(.notUnderstood(name.text, 0), name.text, &state)
                return
            }
            state.handles.incompleteRequests[opening.stream] = name
        case (.bytes, _):
            state.handles.open.insert(opening.stream)
            state.handles.untakenStreams.insert(opening.stream)
            state.effects.notices.append(.stream(opening))
        case (.messages, nil), (.request, nil):
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
            state.channels.fronts[end.stream] = nil
            state.channels.held.remove(end.stream)
            state.handles.incompleteRequests[end.stream] = nil
            if state.handles.requests.contains(end.stream) || state.handles.untakenStreams.contains(end.stream) {
                forget(end.stream, &state)
                state.effects.notices.append(.withdrawn(end.stream))
            }
            if let channel = state.channels.outbound.first(where: { $0.value == end.stream })?.key {
                // The next message opens the channel again.
                state.channels.outbound[channel] = nil
            }
        }
        if let channel = state.channels.inbound[end.stream] {
            if end.code != .finished { state.channels.inbound[end.stream] = nil }
            if let first = state.firstStream(of: channel) { try settleFront(first, &state) }
        }
        state.waits.wake(.stream(end.stream))
        state.waits.wake(.room)
    }

    private func noteReadable(_ stream: UInt32, _ state: inout LinkState) throws(ProtocolError) {
        if state.handles.discarded.contains(stream) {
            drop(stream, &state)
        } else if state.channels.inbound[stream] != nil {
            try settleFront(stream, &state)
        } else if let name = state.handles.incompleteRequests[stream], state.streams.hasMessage(stream) {
            state.handles.incompleteRequests[stream] = nil
            state.handles.open.insert(stream)
            state.handles.requests.insert(stream)
            state.streams.accept(stream)
            state.effects.notices.append(.request(stream, name))
        }
        state.waits.wake(.stream(stream))
    }

    /// Announces the next message to its reader, and discards messages without a reader.
    ///
    /// If a channel was finished and opened again, messages on the later stream wait for those on the earlier one.
    func settleFront(_ stream: UInt32, _ state: inout LinkState) throws(ProtocolError) {
        guard let channel = state.channels.inbound[stream], !state.channels.held.contains(stream),
            state.firstStream(of: channel) == stream
        else { return }
        while state.channels.fronts[stream] == nil, let form = try state.nextForm(stream) {
            if let ready = ready(form, on: channel, &state) {
                state.channels.fronts[stream] = form
                state.announce(ready)
            } else {
                _ = try state.nextMessage(stream)
            }
        }
        guard state.channels.fronts[stream] == nil, state.streams.hasReceivedAll(stream) else { return }
        state.channels.inbound[stream] = nil
        if let next = state.firstStream(of: channel) { try settleFront(next, &state) }
    }

    /// Announces the next droppable message of a channel to its reader, and discards those without a reader.
    func settleDroppable(_ channel: LinkName, _ state: inout LinkState) {
        while state.channels.droppableFronts[channel] == nil, let next = state.streams.readDroppable(on: channel) {
            guard let ready = ready(next.message.form, on: channel, &state) else { continue }
            state.channels.droppableFronts[channel] = next.message
            state.announce(ready)
        }
    }

    /// Returns the reader of a message; if there is none, reports this and returns nil.
    private func ready(_ form: Message.Form, on channel: LinkName, _ state: inout LinkState) -> ReadyMessage? {
        switch form {
        case .bytes:
            if inboxes.hasReader(of: nil, on: channel) { return ReadyMessage(channel: channel, name: nil) }
            report(.unread("bytes"), "bytes", &state)
        case .json(let name, let version):
            guard let known = inboxes.version(of: name.text), version <= known else {
                report(.notUnderstood(name.text, Int(version)), name.text, &state)
                return nil
            }
            if inboxes.hasReader(of: name, on: channel) { return ReadyMessage(channel: channel, name: name) }
            report(.unread(name.text), name.text, &state)
        }
        return nil
    }

    /// Whether to tell the application of a message that it cannot read.
    func allowsReport(_ name: String) -> Bool {
        update { $0.reports.allows(name, at: clock.now) }
    }

    func report(_ notice: LinkNotice, _ name: String, _ state: inout LinkState) {
        if state.reports.allows(name, at: clock.now) { state.effects.notices.append(notice) }
    }
}
