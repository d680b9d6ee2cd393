import PeerProtocol

extension LinkDriver {
    /// Messages that a reader takes at once, in order.
    struct TakenMessages: Sendable {
        var messages: MessageBatch
        /// The stream of the messages if there are several; it continues with `resume` when the application has received all of
        /// them.
        var heldStream: UInt32?
        /// What they take of the memory for messages that the application has not received yet.
        var heldLength = 0
    }
}

/// Messages for the readers of this side.
extension LinkDriver {
    /// Takes the next messages for a reader; nil if there are none.
    ///
    /// When the application has received all of them, the reader calls ``giveBack(_:)``.
    func takeMessages(for reader: Inboxes.Key) -> TakenMessages? {
        update { state in
            guard let action = state.channels[reader.channel]?.take(for: reader.name) else { return nil }
            switch action {
            case .droppable(let message):
                settleDroppable(reader.channel, &state)
                // One announcement stands for all messages of a reader, so it is repeated if another message waits.
                announceAgain(to: reader, &state)
                return TakenMessages(messages: MessageBatch(message))
            case .read(let stream): return read(stream, of: reader.channel, &state)
            case .none: return nil
            }
        }
    }

    private func read(_ stream: UInt32, of channel: LinkName, _ state: inout LinkState) -> TakenMessages? {
        var taken: TakenMessages?
        do throws(ProtocolError) {
            taken = try state.nextMessages(stream, ahead: roomAhead).map { TakenMessages(messages: $0) }
            guard let messages = taken?.messages, messages.count > 1 else {
                try settle(channel, &state)
                return taken
            }
            holdAhead(messages.heldLength)
            taken?.heldLength = messages.heldLength
            taken?.heldStream = stream
            state.channels[channel]?.tookAhead(of: stream)
        } catch {
            violate(&state, error)
        }
        return taken
    }

    /// Notes that the reader's queue was full, so the message was not announced.
    func withdrawAnnouncement(to reader: Inboxes.Key) {
        update { _ = $0.channels[reader.channel]?.withdrawAnnouncement(to: reader.name) }
    }

    /// Announces a message again, after the reader's queue was full.
    func announceAgain(to reader: Inboxes.Key) { update { announceAgain(to: reader, &$0) } }

    private func announceAgain(to reader: Inboxes.Key, _ state: inout LinkState) {
        if let action = state.channels[reader.channel]?.announceAgain(to: reader.name), action == .announce {
            state.effects.ready.append(reader)
        }
    }

    /// Continues with a stream when the application has received all messages that were taken from it, or never will.
    ///
    /// `name` is that of messages that were not received, because their reader is gone.
    func resume(_ stream: UInt32, unread name: String? = nil) {
        update { state in
            if let name { report(.unread(name), name, &state) }
            guard let channel = state.inbound[stream] else { return }
            state.channels[channel]?.receivedAhead(of: stream)
            do throws(ProtocolError) {
                try settle(channel, &state)
            } catch {
                violate(&state, error)
            }
        }
    }

    /// Drops messages whose reader is gone, so that they do not block their channels, and announces all others again.
    func readerLeft() {
        update { state in
            for channel in Array(state.channels.keys) {
                if let droppable = state.channels[channel]?.readerLeft() { found(droppable, on: channel, &state) }
                settleDroppable(channel, &state)
                do throws(ProtocolError) {
                    try settle(channel, &state)
                } catch {
                    // The other channels still have messages that arrived before the violation, so the loop continues.
                    violate(&state, error)
                }
                state.forgetIfUnused(channel)
            }
        }
    }
}
