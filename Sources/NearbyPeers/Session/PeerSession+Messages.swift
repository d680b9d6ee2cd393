public import FoundationEssentials
import NIOCore
public import PeerCore
import PeerProtocol

/// The peers that get a message, and the peers that do not.
///
/// See <doc:SendingMessages> for an example.
public struct SendResult: Sendable {
    /// The peers whose outbox has the message.
    public var taken: [PeerID] = []
    /// The peers that do not get the message, and why.
    public var missed: [PeerID: PeerError] = [:]
}

extension PeerSession {
    /// Sends a message to peers; returns when it is in the outbox of each of them.
    ///
    /// The call waits while an outbox is full and its peer is connected. If there are several recipients, it waits for at most
    /// ``BufferLimits/longestStall``, so that a peer that does not read does not delay the others any longer. A message for a
    /// disconnected peer is sent if the peer is connected again in time. So an accepted message arrives once and in order, as
    /// long as both programs run and no outage exceeds ``ReconnectionPolicy/window``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - recipients: The peers; nil for all that are linked.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether it may be dropped.
    /// - Returns: The peers that get the message, and those that do not.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the message cannot be written as JSON; with
    ///   `PeerError.Code.notConnected` if the session has ended.
    @discardableResult
    public func send<Message: PeerMessage>(
        _ message: Message,
        to recipients: [PeerID]? = nil,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async throws(PeerError) -> SendResult {
        let name = try LinkName.checked(Message.messageName)
        let encoded = try MessageCoding.encode(message, named: name, version: Message.messageVersion)
        try states.checkIsRunning()
        return await send(encoded, to: recipients, on: channel, mode) { link in
            guard let known = link.peerTypes[name.text], Int(known) < Message.messageVersion else { return nil }
            return PeerError(
                .unsupportedVersion,
                "The other side supports only version \(known) of “\(name.text)”.",
                remedy: "Update the program on the other machine."
            )
        }
    }

    /// Sends bytes without JSON; returns when they are in the outbox of each peer.
    ///
    /// The call waits while an outbox is full, as for a message. Errors are not thrown: they are in ``SendResult/missed``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at most as many as each peer accepts in a message (``BufferLimits/maximumMessageLength``).
    ///   - recipients: The peers; nil for all that are linked.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether they may be dropped.
    /// - Returns: The peers that get the bytes, and those that do not.
    @discardableResult
    public func send(
        _ bytes: Data,
        to recipients: [PeerID]? = nil,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async -> SendResult {
        // The usual case, without a buffer and lists for each message.
        if case .reliable = mode, let recipients, recipients.count == 1, let link = states.link(recipients[0]),
            bytes.withUnsafeBytes({ link.queue(.bytes, $0, on: channel.name) })
        {
            return SendResult(taken: recipients)
        }
        let message = Message(.bytes, payload: ByteBuffer(bytes: bytes))
        return await send(message, to: recipients, on: channel, mode) { _ in nil }
    }

    private func send(
        _ message: Message,
        to recipients: [PeerID]?,
        on channel: MessageChannel,
        _ mode: DeliveryMode,
        unless refusal: (LinkDriver) -> PeerError?
    ) async -> SendResult {
        var result = SendResult()
        var waiting: [LinkDriver] = []
        // First to all peers whose outbox has room, so that a slow peer does not delay the others.
        for peer in recipients ?? states.links.map(\.peer) {
            do throws(PeerError) {
                let link = try states.linked(peer)
                if let error = refusal(link) { throw error }
                if try hand(message, to: link, on: channel, mode) {
                    result.taken.append(peer)
                } else {
                    waiting.append(link)
                }
            } catch {
                result.missed[peer] = error
            }
        }
        let isAlone = result.taken.count + result.missed.count + waiting.count == 1
        // A peer that has delayed the others for the longest allowed time delays them no longer.
        waiting.removeAll { link in
            guard !isAlone, link.stall >= configuration.buffers.longestStall else { return false }
            result.missed[link.peer] = .stalled
            return true
        }
        guard let first = waiting.first else { return result }
        guard !isAlone else {
            do throws(PeerError) {
                try await first.send(message, on: channel.name)
                result.taken.append(first.peer)
            } catch {
                result.missed[first.peer] = error
            }
            return result
        }
        await withTaskGroup(of: (PeerID, PeerError?).self) { group in
            for link in waiting {
                group.addTask { (link.peer, await self.wait(for: link, message, on: channel)) }
            }
            for await (peer, error) in group {
                if let error { result.missed[peer] = error } else { result.taken.append(peer) }
            }
        }
        return result
    }

    /// Waits until a link has accepted a message that has other recipients, too.
    ///
    /// A peer that does not read delays them once, for the configured time, and then no more.
    ///
    /// - Returns: Why the link does not accept the message; nil if it does.
    private func wait(for link: LinkDriver, _ message: Message, on channel: MessageChannel) async -> PeerError? {
        let rest = configuration.buffers.longestStall - link.stall
        guard rest > .zero else { return .stalled }
        let clock = hub.transport.clock
        return await withTaskGroup(of: PeerError??.self) { group in
            group.addTask {
                do throws(PeerError) {
                    try await link.send(message, on: channel.name)
                    return .some(nil)
                } catch {
                    return error
                }
            }
            group.addTask {
                try? await clock.sleep(until: clock.now + rest)
                return nil
            }
            if case .some(.some(let outcome)) = await group.next() {
                group.cancelAll()
                return outcome
            }
            // The time is over. If the link has accepted the message in the meantime, it counts as taken.
            group.cancelAll()
            let outcome = await group.next() ?? nil
            guard let error = outcome ?? .stalled else { return nil }
            return error.code == .cancelled && !Task.isCancelled ? .stalled : error
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
        case .reliable:
            return try link.sendAtOnce(message, on: channel.name)
        case .droppable(let key, let age):
            let droppable = DroppableMessage(channel: channel.name, key: key, message: message)
            guard droppable.isValid else {
                throw .messageTooLong(message.payload.readableBytes, DroppableMessage.maximumPayloadLength)
            }
            guard link.sendDroppable(droppable, within: age) else { throw .dropped }
            return true
        }
    }

    /// Waits until everything that was sent so far has reached the peers' libraries; their applications may not have read it yet.
    ///
    /// - Parameters:
    ///   - recipients: The peers; nil for all that are linked.
    ///   - timeout: How long to wait.
    /// - Throws: `PeerError` with `PeerError.Code.timedOut`, `PeerError.Code.connectionLost`; `PeerError.Code.notConnected` if the
    ///   session has ended.
    public func flush(to recipients: [PeerID]? = nil, timeout: Duration = .seconds(10)) async throws(PeerError) {
        try states.checkIsRunning()
        let links = recipients.map { $0.compactMap { states.link($0) } } ?? states.links
        try await hub.transport.clock.within(timeout, orThrow: .notFlushed) { () async throws(PeerError) in
            for link in links { try await link.flush() }
        }
    }

    /// The messages of one type; read by one reader.
    ///
    /// Create the reader before you advertise or invite, so that no message arrives before there is a reader. A message waits
    /// until those before it on its channel are read.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader, or if the configuration does not
    ///   name the type.
    public func messages<Message: PeerMessage>(
        of type: Message.Type,
        on channel: MessageChannel = .main
    ) throws(PeerError) -> IncomingMessages<Message> {
        let name = try LinkName.checked(type.messageName)
        guard inboxes.version(of: name.text) != nil else {
            throw PeerError(
                .invalidArgument,
                "The session's configuration does not name the message “\(name.text)”.",
                remedy: "Add its type to the configuration's messages."
            )
        }
        return IncomingMessages(reader: try reader(name, channel))
    }

    /// The raw bytes that peers send; read by one reader.
    ///
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if there is a reader.
    public func data(on channel: MessageChannel = .main) throws(PeerError) -> IncomingData {
        IncomingData(reader: try reader(nil, channel))
    }

    private func reader(_ name: LinkName?, _ channel: MessageChannel) throws(PeerError) -> MessageReader {
        let key = Inboxes.Key(channel: channel.name, name: name)
        return try MessageReader(key, inboxes, states)
    }
}
