public import FoundationEssentials

/// An error of PeerCore and NearbyPeers: what went wrong, why, and what a person can do about it.
///
/// ```swift
/// do {
///     try await transfer()
/// } catch let error as PeerError where error.code == .connectionLost {
///     try await transfer()
/// }
/// ```
///
/// An application can make errors of its own, for example to throw them in a handler. The peer is told the message.
public struct PeerError: Error, Sendable {
    /// The kind of an error.
    ///
    /// A minor release may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String, CaseIterable {
            case discoveryUnavailable
            case noPeerFound
            case cannotListen
            case cannotConnect
            case connectionLost
            case outcomeUnknown
            case timedOut
            case declined
            case busy
            case notTrusted
            case encryptionMismatch
            case protocolViolation
            case verificationFailed
            case unsupportedVersion
            case cancelled
            case peerCancelled
            case peerFailed
            case localStorage
            case identity
            case invalidArgument
            case notConnected
            case notUnderstood
            case replaced
        }

        private let name: Name

        /// All codes.
        package static var all: [Code] { Name.allCases.map(Code.init(name:)) }

        /// Discovery does not work on this machine: no Avahi, no D-Bus.
        public static let discoveryUnavailable = Code(name: .discoveryUnavailable)
        /// No peer was found in time.
        public static let noPeerFound = Code(name: .noPeerFound)
        /// The sender cannot listen on the port.
        public static let cannotListen = Code(name: .cannotListen)
        /// No address of the peer answers.
        public static let cannotConnect = Code(name: .cannotConnect)
        /// The connection broke or fell silent.
        public static let connectionLost = Code(name: .connectionLost)
        /// Everything was sent, but the connection broke before the receiver reported whether it has committed the transfer.
        public static let outcomeUnknown = Code(name: .outcomeUnknown)
        /// The peer did not answer in time.
        public static let timedOut = Code(name: .timedOut)
        /// A person or the application on either side declined.
        public static let declined = Code(name: .declined)
        /// The maximum number of transfers is running.
        public static let busy = Code(name: .busy)
        /// The peer is not the expected one, or its identity is not acceptable.
        public static let notTrusted = Code(name: .notTrusted)
        /// The two sides do not agree on encryption.
        public static let encryptionMismatch = Code(name: .encryptionMismatch)
        /// The peer broke the protocol.
        public static let protocolViolation = Code(name: .protocolViolation)
        /// Received data do not match their digest.
        public static let verificationFailed = Code(name: .verificationFailed)
        /// The two sides have no protocol version in common.
        public static let unsupportedVersion = Code(name: .unsupportedVersion)
        /// The transfer was cancelled on this side.
        public static let cancelled = Code(name: .cancelled)
        /// The transfer was cancelled on the other side.
        public static let peerCancelled = Code(name: .peerCancelled)
        /// The other side reports an error.
        public static let peerFailed = Code(name: .peerFailed)
        /// Reading or writing on this machine failed.
        public static let localStorage = Code(name: .localStorage)
        /// The key or certificate of this machine cannot be used.
        public static let identity = Code(name: .identity)
        /// An argument is invalid.
        public static let invalidArgument = Code(name: .invalidArgument)

        /// This machine has no link with the peer.
        public static let notConnected = Code(name: .notConnected)
        /// The peer's application did not declare this type of message or request.
        public static let notUnderstood = Code(name: .notUnderstood)
        /// Another program with this machine's key has taken the place of this one.
        public static let replaced = Code(name: .replaced)

        /// The code's name.
        public var description: String { name.rawValue }
    }

    /// The kind of the error.
    public let code: Code

    /// What went wrong, and why, in words that a person without technical knowledge understands.
    public let message: String

    /// What the person can do; nil if nothing helps.
    public let remedy: String?

    /// The code with which the peer's application has refused a request; nil if it gave none.
    public let refusalCode: String?

    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: What went wrong, and why, in words that a person without technical knowledge understands.
    ///   - remedy: What the person can do; nil if nothing helps.
    ///   - refusalCode: The code with which the peer's application has refused a request; nil for none.
    ///   - cause: The underlying error; nil if there is none.
    public init(
        _ code: Code,
        _ message: String,
        remedy: String? = nil,
        refusalCode: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.refusalCode = refusalCode
        self.cause = cause
    }

    /// Returns the error with another message.
    package func saying(_ message: String) -> PeerError {
        PeerError(code, message, remedy: remedy, refusalCode: refusalCode, cause: cause)
    }

    /// Returns the error with another remedy; nil for none.
    package func advising(_ remedy: String?) -> PeerError {
        PeerError(code, message, remedy: remedy, refusalCode: refusalCode, cause: cause)
    }
}

/// Two errors are equal if their codes and their words are; the cause does not count.
extension PeerError: Hashable {
    /// Compares code, message, remedy and refusal code.
    public static func == (one: PeerError, other: PeerError) -> Bool {
        (one.code, one.message, one.remedy, one.refusalCode)
            == (other.code, other.message, other.remedy, other.refusalCode)
    }

    /// Hashes code, message, remedy and refusal code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(remedy)
        hasher.combine(refusalCode)
    }
}

extension PeerError: CustomStringConvertible {
    /// The code, the message, the remedy and the cause on one line, for logs.
    public var description: String {
        [String(describing: code) + ":", message, remedy, cause.map { "(\($0))" }]
            .compactMap { $0 }
            .joined(separator: " ")
    }
}

extension PeerError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }

    /// The remedy.
    public var recoverySuggestion: String? { remedy }
}

extension PeerError: ReportableError {
    /// The message.
    public var reportToPeer: String { message }
}
