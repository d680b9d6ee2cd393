import NIOCore
import PeerCore
import PeerProtocol

/// What a session says of itself on its connections and links.
extension ConversationStateMachine {
    /// The conversation of a new connection of a session.
    init(
        _ side: Conversation.Side,
        of configuration: PeerSession.Configuration,
        _ incarnation: Incarnation,
        hasToken: Bool,
        at now: ContinuousClock.Instant
    ) {
        var hello = configuration.local.hello(configuration.connections, as: side)
        // An accepted connection may turn out to carry a resource, so its hello names the features of transfers.
        hello.features = (side == .dialer ? [] : hello.features) + [Hello.sessionsFeature]
        hello.incarnation = incarnation
        let times = Conversation.Times(configuration.connections, longestInvitation: .seconds(3600))
        self.init(side, .session, hello: hello, hasToken: hasToken, nonce: .random(), times: times, at: now)
    }
}

extension InvitationRequest {
    /// The invitation that a peer's machine wants to send.
    init(_ invite: Invite, _ wanted: PeerStateMachine.Request, memberCount: Int, takesAnyone: Bool) {
        let timeout = Int(clamping: max(1, wanted.timeout.components.seconds))
        self.init(
            timeout: min(timeout, 3600),
            context: wanted.context,
            token: wanted.token,
            session: SessionInvitation(
                members: UInt16(clamping: memberCount),
                connectionCount: invite.connectionCount,
                wish: invite.wish,
                takesAnyone: takesAnyone
            )
        )
    }
}

extension LinkTerms {
    /// The terms of a link that a peer's machine wants to request or to answer.
    init(
        _ link: Link,
        received: UInt64,
        _ limits: LinkLimits,
        types: [(name: String, version: UInt16)],
        addresses: [PeerAddress]
    ) {
        self.init(
            epoch: UInt64(link.epoch),
            connectionCount: UInt64(link.connectionCount),
            received: received,
            window: limits.firstWindow,
            maximumMessageLength: limits.maximumMessageLength,
            messageTypes: types.compactMap { name, version in
                LinkName(name).map { LinkTerms.MessageType(name: $0, version: version) }
            },
            addresses: Array(addresses.map(\.text).prefix(Self.maximumAddressCount))
        )
    }
}

extension LinkLimits {
    /// The limits of a session's links.
    init(_ configuration: PeerSession.Configuration) {
        self = .standard
        maximumMessageLength = configuration.buffers.maximumMessageLength
        maximumOutboxLength = configuration.buffers.outboxLength
        // A part of the budget, as long as the longest message, is reserved. Other streams need room beside it.
        windowBudget = max(windowBudget, 2 * configuration.buffers.maximumMessageLength)
        reconnectionWindow = configuration.reconnection.window
    }
}

extension RosterStateMachine {
    /// The group of a session that has just begun.
    init(_ configuration: PeerSession.Configuration, _ incarnation: Incarnation) {
        let own = MemberRecord(
            id: configuration.local.id,
            incarnation: incarnation,
            displayName: configuration.local.displayName,
            platform: configuration.local.platform,
            software: configuration.local.software
        )
        self.init(own: own, introduces: configuration.topology == .mesh)
    }

    /// Sends the records that peers still need; records that a link cannot take wait for the next call.
    mutating func spread(over link: (PeerID) -> LinkDriver?) {
        // Most peers get the same records, so these are encoded only once.
        var last: (records: [MemberRecord], payloads: [ByteBuffer]) = ([], [])
        for id in peersToTell {
            // What a peer still needs stays in the roster as a set of ids. So a slow peer gets only the newest records, and no
            // queue grows.
            guard let link = link(id), link.takesMembers else { continue }
            let records = takeRecords(for: id)
            if records != last.records { last = (records, (try? MemberList.payloads(of: records)) ?? []) }
            link.tell(members: last.payloads)
        }
    }
}
