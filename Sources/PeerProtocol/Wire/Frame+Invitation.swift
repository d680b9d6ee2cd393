public import FoundationEssentials

/// The receiver asks the sender for a transfer.
public struct InvitationRequest: Hashable, Sendable, Codable {
    /// For how long the receiver waits for an answer, in seconds.
    public var timeout: Int
    /// Anything that the application at the other side understands.
    public var context: Data?

    /// Creates an invitation.
    public init(timeout: Int, context: Data? = nil) {
        self.timeout = timeout
        self.context = context
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
        /// Encryption is wanted by one side and refused by the other.
        case encryption
        /// Another reason; also stands for any code that is not known.
        case other

        /// Reads a code, taking an unknown one as ``other``.
        public init(from decoder: any Decoder) throws {
            self = Code(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
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
