package import FoundationEssentials

/// The receiver asks the sender for a transfer.
package struct InvitationRequest: Hashable, Sendable, Codable {
    /// For how long the receiver waits for an answer, in seconds.
    package var timeout: Int
    /// Anything that the application at the other side understands.
    package var context: Data?
    /// The secret of the link that the receiver was given; never sent in plain text.
    package var token: LinkToken?
    /// Whether the receiver has the sender's key pinned, so that it needs no pairing.
    package var isPeerPinned: Bool

    private enum CodingKeys: String, CodingKey {
        case timeout
        case context
        case token
        case isPeerPinned = "pinned"
    }

    /// Creates an invitation.
    package init(timeout: Int, context: Data? = nil, token: LinkToken? = nil, isPeerPinned: Bool = false) {
        self.timeout = timeout
        self.context = context
        self.token = token
        self.isPeerPinned = isPeerPinned
    }

    /// Reads an invitation; without a word on it, the sender is not pinned.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        timeout = try container.decode(Int.self, forKey: .timeout)
        context = try container.decodeUnlessMissing(Data.self, forKey: .context)
        token = try container.decodeUnlessMissing(LinkToken.self, forKey: .token)
        isPeerPinned = try container.decodeUnlessMissing(Bool.self, forKey: .isPeerPinned) ?? false
    }

    /// Writes an invitation.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(timeout, forKey: .timeout)
        try container.encodeIfPresent(context, forKey: .context)
        try container.encodeIfPresent(token, forKey: .token)
        if isPeerPinned { try container.encode(isPeerPinned, forKey: .isPeerPinned) }
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        (1...3600).contains(timeout) && (context?.count ?? 0) <= limits.maximumContextLength
    }
}

/// One side says no: the sender to an invitation, the receiver to an offer.
public struct Refusal: Hashable, Sendable, Codable {
    /// Why a side says no.
    public enum Code: String, Hashable, Sendable, Codable {
        /// A person said no.
        case declined
        /// Nobody answered in time.
        case noAnswer
        /// The sender serves as many receivers as it can.
        case busy
        /// The other side is not known here, and nobody was there to ask.
        case notTrusted
        /// The link is wrong or no longer valid.
        case link
        /// Pairing failed too often of late.
        case locked
        /// Encryption is wanted by one side and refused by the other.
        case encryption
        /// Another reason; also stands for any code that is not known.
        case other

        /// Reads a code, taking an unknown one as ``other``.
        public init(from decoder: any Decoder) throws {
            self = try Code(shortNameFrom: decoder) ?? .other
        }
    }

    /// Why.
    public var code: Code
    /// The reason in words, for the person at the other side.
    public var reason: String

    /// Creates a refusal.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool {
        reason.utf8.count <= limits.maximumTextLength
    }
}
