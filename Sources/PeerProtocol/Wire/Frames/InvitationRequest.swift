package import FoundationEssentials

/// The receiver asks the sender for a transfer.
package struct InvitationRequest: Hashable, Sendable, Codable {
    /// For how long the receiver waits for an answer, in seconds.
    package var timeout: Int
    /// Anything that the application at the other side understands.
    package var context: Data?
    /// The secret of the share link that the receiver was given; never sent in plain text.
    package var token: ShareToken?
    /// Whether the receiver has the sender's key pinned, so that it needs no pairing.
    package var isPeerPinned: Bool
    /// What the receiver says of its session, if it wants a link instead of a transfer.
    package var session: SessionInvitation?

    private enum CodingKeys: String, CodingKey {
        case timeout
        case context
        case token
        case isPeerPinned = "pinned"
        case session
    }

    package init(
        timeout: Int,
        context: Data? = nil,
        token: ShareToken? = nil,
        isPeerPinned: Bool = false,
        session: SessionInvitation? = nil
    ) {
        self.timeout = timeout
        self.context = context
        self.token = token
        self.isPeerPinned = isPeerPinned
        self.session = session
    }

    /// Reads an invitation.
    ///
    /// A missing `pinned` is false.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        timeout = try container.decode(Int.self, forKey: .timeout)
        context = try container.decodeUnlessMissing(Data.self, forKey: .context)
        token = try container.decodeUnlessMissing(ShareToken.self, forKey: .token)
        isPeerPinned = try container.decodeUnlessMissing(Bool.self, forKey: .isPeerPinned) ?? false
        session = try container.decodeUnlessMissing(SessionInvitation.self, forKey: .session)
    }

    /// Writes an invitation.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(timeout, forKey: .timeout)
        try container.encodeIfPresent(context, forKey: .context)
        try container.encodeIfPresent(token, forKey: .token)
        if isPeerPinned { try container.encode(isPeerPinned, forKey: .isPeerPinned) }
        try container.encodeIfPresent(session, forKey: .session)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        (1...3600).contains(timeout) && (context?.count ?? 0) <= limits.maximumContextLength
            && session?.isWithinBounds != false
    }
}

/// What a side that wants a link says in its invitation.
package struct SessionInvitation: Hashable, Sendable, Codable {
    /// The numbers that a wish can have: up to the largest integer that every reader of JSON knows exactly.
    static let wishes: ClosedRange<UInt64> = 1...(1 << 53 - 1)

    /// The number of members of the side's group, itself included.
    package var members: UInt16
    /// How many connections between the two programs have carried a link.
    package var connectionCount: UInt32
    /// Which wish of the side this is: ``Invite/wish``.
    package var wish: UInt64
    /// Whether the side accepts any peer, and so needs no digits.
    package var takesAnyone: Bool

    package init(members: UInt16, connectionCount: UInt32, wish: UInt64, takesAnyone: Bool) {
        self.members = members
        self.connectionCount = connectionCount
        self.wish = wish
        self.takesAnyone = takesAnyone
    }

    var isWithinBounds: Bool { Self.wishes.contains(wish) }
}
