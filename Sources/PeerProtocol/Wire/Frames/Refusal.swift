/// One side says no: the sender to an invitation, the receiver to an offer.
public struct Refusal: Hashable, Sendable, Codable {
    /// Why a side says no.
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
    public enum Code: String, Hashable, Sendable, Codable {
        /// A person said no.
        case declined
        /// There was no answer in time.
        case noAnswer
        /// The sender serves as many receivers as it can.
        case busy
        /// The other side is unknown, and no person could be asked.
        case notTrusted
        /// The share link is wrong or no longer valid.
        case link
        /// Pairing failed too often of late.
        case locked
        /// Encryption is wanted by one side and refused by the other.
        case encryption
        /// Another connection carries the link.
        case crossed
        /// The link that was asked for has ended.
        case over
        /// Another program with the same key has taken the place of the one that hears this.
        case replaced
        /// Another reason; also stands for any code that is not known.
        case other

        /// Reads a code, taking an unknown one as ``other``.
        public init(from decoder: any Decoder) throws { self = try Code(shortNameFrom: decoder) ?? .other }
    }

    /// Why.
    public var code: Code
    /// The reason in words, for the person at the other side.
    public var reason: String
    /// How many connections have carried a link, with ``Code/crossed`` and ``Code/over``; nil stands for 0.
    package var connectionCount: UInt32?
    /// The last link, with ``Code/crossed`` and ``Code/over``; nil stands for 0.
    package var epoch: UInt32?

    private enum CodingKeys: CodingKey { case code, reason, connectionCount, epoch }

    /// Creates a refusal.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Reads a refusal; a count with the value `null` is not a missing one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        reason = try container.decode(String.self, forKey: .reason)
        connectionCount = try container.decodeUnlessMissing(UInt32.self, forKey: .connectionCount)
        epoch = try container.decodeUnlessMissing(UInt32.self, forKey: .epoch)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool { reason.utf8.count <= limits.maximumTextLength }
}
