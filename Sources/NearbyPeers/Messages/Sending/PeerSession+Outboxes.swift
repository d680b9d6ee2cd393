import FoundationEssentials
import NIOCore
import PeerCore
import PeerProtocol

/// How messages come into outboxes, and out of them.
extension PeerSession {
    /// Puts bytes into the outbox of a link if they only have to wait there: the usual case, without a buffer and lists for each
    /// message.
    static func queue(
        _ bytes: Data,
        over link: LinkDriver,
        on channel: MessageChannel,
        _ mode: DeliveryMode
    ) -> Bool {
        guard case .reliable = mode else { return false }
        return bytes.withUnsafeBytes { link.queue(.bytes, $0, on: channel.name) }
    }

    /// Puts a message into the outbox of a link, waiting while it is full.
    func send(
        _ message: OutgoingMessage,
        over link: LinkDriver,
        on channel: MessageChannel,
        _ mode: DeliveryMode
    ) async throws(PeerError) {
        guard try !hand(message.message, to: link, on: channel, mode) else { return }
        try await link.send(message.message, on: channel.name)
    }

    /// Puts a message into the outboxes of peers, waiting for those that are full.
    func send(
        _ message: OutgoingMessage,
        to recipients: Set<PeerID>?,
        on channel: MessageChannel,
        _ mode: DeliveryMode
    ) async -> SendResult {
        let recipients = recipients ?? Set(states.links.map(\.peer))
        // Usually all take it, and no second set is made.
        var result = SendResult(taken: recipients)
        var waiting: [LinkDriver] = []
        // A peer alone may be slow; one of several delays the others only once, for the configured time.
        let patience = recipients.count == 1 ? nil : configuration.buffers.longestStall
        // First to all peers whose outbox has room, so that a slow peer does not delay the others.
        for peer in recipients {
            do throws(PeerError) {
                let link = try states.linked(peer)
                if let error = message.refusal(by: link) { throw error }
                if let patience, case .reliable = mode,
                    link.isStalled(message.message, on: channel.name, for: patience)
                {
                    throw .stalled
                }
                if try !hand(message.message, to: link, on: channel, mode) { waiting.append(link) }
            } catch {
                result.note(peer, misses: error)
            }
        }
        guard let first = waiting.first else { return result }
        guard waiting.count > 1 else {
            if let error = await wait(for: first, message.message, on: channel, atMost: patience) {
                result.note(first.peer, misses: error)
            }
            return result
        }
        await withTaskGroup(of: (PeerError?, PeerID).self) { group in
            for link in waiting {
                group.addTask {
                    (await self.wait(for: link, message.message, on: channel, atMost: patience), link.peer)
                }
            }
            for await case (let error?, let peer) in group { result.note(peer, misses: error) }
        }
        return result
    }

    /// Waits until a link has accepted a message; returns why it does not, or nil.
    private func wait(
        for link: LinkDriver,
        _ message: Message,
        on channel: MessageChannel,
        atMost patience: Duration?
    ) async -> PeerError? {
        do throws(PeerError) {
            guard let patience else {
                try await link.send(message, on: channel.name)
                return nil
            }
            let rest = patience - link.stall
            guard rest > .zero else { return .stalled }
            try await hub.transport.clock.within(rest, orThrow: .stalled) { () async throws(PeerError) in
                try await link.send(message, on: channel.name)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Puts a message into the outbox of a link if there is room for it.
    private func hand(
        _ message: Message,
        to link: LinkDriver,
        on channel: MessageChannel,
        _ mode: DeliveryMode
    ) throws(PeerError) -> Bool {
        switch mode {
        case .reliable: return try link.sendAtOnce(message, on: channel.name)
        case .droppable(let key, let age):
            let droppable = DroppableMessage(channel: channel.name, key: key, message: message)
            guard droppable.isValid else {
                throw .messageTooLong(message.payload.readableBytes, DroppableMessage.maximumPayloadLength)
            }
            guard link.sendDroppable(droppable, within: age) else { throw .dropped }
            return true
        }
    }

    /// Waits until a peer's library has everything; fails if it may lack something that was sent since the last call.
    func flush(_ peer: PeerID, until deadline: ContinuousClock.Instant) async throws(PeerError) {
        let loss = states.knownLoss(of: peer)
        if loss?.take() == true { throw .messagesLost }
        let link = try states.linked(peer)
        var failure: PeerError?
        do throws(PeerError) {
            try await link.flush(until: deadline)
        } catch {
            failure = error
        }
        // Of all that can be said, this is what the application has to know.
        if link.loss.take() { throw .messagesLost }
        if let failure { throw failure }
    }
}
