/// An error of the protocol: the peer's fault, or a way in which a connection ends.
public struct ProtocolError: Error, Sendable {
    /// What kind of error it is.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String, CaseIterable {
            case notHikeshare
            case otherApplication
            case unsupportedVersion
            case invalidFrame
            case limitExceeded
            case unexpectedFrame
            case invalidManifest
            case digestMismatch
            case identityMismatch
            case encryptionMismatch
            case pairingMismatch
        }

        private let name: Name

        /// All codes.
        package static var all: [Code] { Name.allCases.map(Code.init(name:)) }

        /// The other side does not speak this protocol at all.
        public static let notHikeshare = Code(name: .notHikeshare)
        /// The other side speaks this protocol for another application.
        public static let otherApplication = Code(name: .otherApplication)
        /// The two sides have no protocol version in common.
        public static let unsupportedVersion = Code(name: .unsupportedVersion)
        /// A frame cannot be read.
        public static let invalidFrame = Code(name: .invalidFrame)
        /// A length or a count is beyond ``ProtocolLimits``.
        public static let limitExceeded = Code(name: .limitExceeded)
        /// A frame came that may not come now.
        public static let unexpectedFrame = Code(name: .unexpectedFrame)
        /// A manifest is wrong in itself.
        public static let invalidManifest = Code(name: .invalidManifest)
        /// Data do not match their digest.
        public static let digestMismatch = Code(name: .digestMismatch)
        /// The peer claims another identity than its certificate proves.
        public static let identityMismatch = Code(name: .identityMismatch)
        /// The connection is in plain text although both sides would have encrypted it.
        public static let encryptionMismatch = Code(name: .encryptionMismatch)
        /// The sender showed another nonce in pairing than the one that it was committed to.
        public static let pairingMismatch = Code(name: .pairingMismatch)

        /// The code as it is written on the wire.
        public var description: String { name.rawValue }
    }

    /// What kind of error it is.
    public var code: Code

    /// What went wrong and what to do about it, for people.
    public var message: String

    /// The error that led to this one.
    public var cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension ProtocolError: Equatable {
    /// Compares code and message; the cause does not count.
    public static func == (left: ProtocolError, right: ProtocolError) -> Bool {
        left.code == right.code && left.message == right.message
    }
}

extension ProtocolError: CustomStringConvertible {
    /// The message, with the cause where there is one.
    public var description: String {
        guard let cause else { return "\(code): \(message)" }
        return "\(code): \(message) (\(cause))"
    }
}
