public import FoundationEssentials
public import PeerCore
import PeerProtocol

extension PeerSession {
    /// Sends a message to a peer; returns when it is in the peer's outbox.
    ///
    /// The call waits while the outbox is full and the peer is connected. A message for a disconnected peer is sent if the peer is
    /// connected again in time. So an accepted message arrives once and in order, as long as both programs run and no outage
    /// exceeds ``ReconnectionPolicy/window``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - peer: The peer.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether it may be dropped.
    /// - Throws: `PeerError` if the peer does not get the message: with `PeerError.Code.notConnected` if there is no link, or if
    ///   the peer is away and its outbox full; with `PeerError.Code.notUnderstood` if its program does not know the type, with
    ///   `PeerError.Code.unsupportedVersion` if it knows only an older version; with `PeerError.Code.invalidArgument` if the
    ///   message cannot be written as JSON, or is too large.
    public func send<Message: PeerMessage>(
        _ message: Message,
        to peer: PeerID,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async throws(PeerError) {
        let message = try OutgoingMessage(message)
        let link = try states.linked(peer)
        if let error = message.refusal(by: link) { throw error }
        try await send(message, over: link, on: channel, mode)
    }

    /// Sends a message to several peers; returns when it is in the outbox of each of them.
    ///
    /// The call waits for a peer whose outbox is full as for a single one. If there are several recipients, it waits for at most
    /// ``BufferLimits/longestStall``, so that a peer that does not read does not delay the others any longer.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - recipients: The peers; nil for all that are linked.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether it may be dropped.
    /// - Returns: The peers that get the message, and those that do not.
    /// - Throws: `PeerError` with `PeerError.Code.invalidArgument` if the message cannot be written as JSON; with
    ///   `PeerError.Code.notConnected` if the session has ended.
    public func send<Message: PeerMessage>(
        _ message: Message,
        to recipients: Set<PeerID>? = nil,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async throws(PeerError) -> SendResult {
        let message = try OutgoingMessage(message)
        try states.checkIsRunning()
        return await send(message, to: recipients, on: channel, mode)
    }

    /// Sends bytes without JSON to a peer; returns when they are in the peer's outbox.
    ///
    /// The call waits while the outbox is full, as for a message.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at most as many as the peer accepts in a message (``BufferLimits/maximumMessageLength``).
    ///   - peer: The peer.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether they may be dropped.
    /// - Throws: `PeerError` if the peer does not get the bytes: with `PeerError.Code.notConnected` if there is no link, or if the
    ///   peer is away and its outbox full; with `PeerError.Code.invalidArgument` if they are too many.
    public func send(
        _ bytes: Data,
        to peer: PeerID,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async throws(PeerError) {
        let link = try states.linked(peer)
        if Self.queue(bytes, over: link, on: channel, mode) { return }
        try await send(OutgoingMessage(bytes), over: link, on: channel, mode)
    }

    /// Sends bytes without JSON to several peers; returns when they are in the outbox of each of them.
    ///
    /// The call waits while an outbox is full, as for a message.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at most as many as each peer accepts in a message (``BufferLimits/maximumMessageLength``).
    ///   - recipients: The peers; nil for all that are linked.
    ///   - channel: The channel. Messages on one channel arrive in the order in which they were sent.
    ///   - mode: Whether they may be dropped.
    /// - Returns: The peers that get the bytes, and those that do not.
    /// - Throws: `PeerError` with `PeerError.Code.notConnected` if the session has ended.
    public func send(
        _ bytes: Data,
        to recipients: Set<PeerID>? = nil,
        on channel: MessageChannel = .main,
        mode: DeliveryMode = .reliable
    ) async throws(PeerError) -> SendResult {
        if let recipients, recipients.count == 1, let peer = recipients.first, let link = states.link(peer),
            Self.queue(bytes, over: link, on: channel, mode)
        {
            return SendResult(taken: recipients)
        }
        try states.checkIsRunning()
        return await send(OutgoingMessage(bytes), to: recipients, on: channel, mode)
    }

    /// Waits until everything that was sent to a peer so far has reached its library; its application may not have read it yet.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - timeout: How long to wait.
    /// - Throws: `PeerError` with `PeerError.Code.timedOut`; with `PeerError.Code.connectionLost` if messages for the peer were
    ///   lost, or may have been, since the last call; with `PeerError.Code.notConnected` if there is no link with the peer.
    public func flush(to peer: PeerID, timeout: Duration = .seconds(10)) async throws(PeerError) {
        try states.checkIsRunning()
        try await flush(peer, until: hub.transport.clock.now + timeout)
    }

    /// Waits until everything that was sent so far has reached the peers' libraries; their applications may not have read it yet.
    ///
    /// - Parameters:
    ///   - recipients: The peers; nil for all that are linked, and those for which messages were lost since the last call.
    ///   - timeout: How long to wait for all of them together.
    /// - Returns: The peers that have everything, and those of which that is not known, with the errors of a call for one peer.
    /// - Throws: `PeerError` with `PeerError.Code.notConnected` if the session has ended.
    public func flush(
        to recipients: Set<PeerID>? = nil,
        timeout: Duration = .seconds(10)
    ) async throws(PeerError) -> FlushResult {
        try states.checkIsRunning()
        let deadline = hub.transport.clock.now + timeout
        var result = FlushResult()
        for peer in recipients ?? states.addressees {
            do throws(PeerError) {
                try await flush(peer, until: deadline)
                result.arrived.insert(peer)
            } catch {
                result.missed[peer] = error
            }
        }
        return result
    }

    /// The messages of one type; read by one reader.
    ///
    /// Messages that come before the first reader wait for it, for ``BufferLimits/readerPatience``. A message waits until those before
    /// it on its channel are read.
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

    /// The raw bytes that peers send; read by one reader, for which they wait as messages do.
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
