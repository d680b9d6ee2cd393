import PeerProtocol

/// Messages that a reader takes at once, in order.
struct TakenMessages: Sendable {
    var messages: [Message] = []
    /// The stream of the messages if there are several; it continues with `resume` when the application has received all of them.
    var heldStream: UInt32?
}

/// Messages for the readers of this side.
extension LinkDriver {
    /// Takes the next messages for a reader; empty if there are none.
    ///
    /// A reader that takes several messages calls ``giveBack(_:)`` for each of them except the first.
    func takeMessages(named name: LinkName?, on channel: LinkName) -> TakenMessages {
        let ready = ReadyMessage(channel: channel, name: name)
        return update { state in
            state.channels.announced.remove(ready)
            // One announcement stands for all messages of this form, so it is repeated as long as there are more.
            defer { if state.hasFront(for: ready) { state.announce(ready) } }
            if let message = state.channels.droppableFronts[channel], message.form.name == name {
                state.channels.droppableFronts[channel] = nil
                settleDroppable(channel, &state)
                return TakenMessages(messages: [message])
            }
            guard let stream = state.firstStream(of: channel),
                let form = state.channels.fronts[stream], form.name == name
            else { return TakenMessages() }
            state.channels.fronts[stream] = nil
            var taken = TakenMessages()
            do throws(ProtocolError) {
                taken.messages = try state.nextMessages(stream, ahead: roomAhead)
                let ahead = taken.messages.dropFirst()
                guard !ahead.isEmpty else {
                    try settleFront(stream, &state)
                    return taken
                }
                holdAhead(ahead.reduce(0) { $0 + $1.heldLength })
                taken.heldStream = stream
                state.channels.held.insert(stream)
            } catch {
                violate(&state, error)
            }
            return taken
        }
    }

    /// Notes that the reader's queue was full, so the message was not announced.
    func withdrawAnnouncement(of message: ReadyMessage) {
        update { _ = $0.channels.announced.remove(message) }
    }

    /// Announces a message again, after the reader's queue was full.
    func announceAgain(_ message: ReadyMessage) {
        update { state in if state.hasFront(for: message) { state.announce(message) } }
    }

    /// Continues with a stream when the application has received all messages that were taken from it.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - name: The name of the messages that the application did not receive because their reader is gone; nil if there are none.
    func resume(_ stream: UInt32, unread name: String? = nil) {
        update { state in
            if let name { report(.unread(name), name, &state) }
            guard state.channels.held.remove(stream) != nil else { return }
            do throws(ProtocolError) {
                try settleFront(stream, &state)
            } catch {
                violate(&state, error)
            }
        }
    }

    /// Drops a message whose reader is gone, so that the message does not block its channel.
    func settle() {
        update { state in
            // A new reader does not know of any message yet, so all of them are announced again.
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
}
