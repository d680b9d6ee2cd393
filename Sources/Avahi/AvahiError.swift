/// An error of Avahi: what went wrong, why, and what a person can do about it.
public struct AvahiError: Error, Sendable {
    /// The kind of an error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: String {
            case daemonUnavailable
            case busUnavailable
            case accessDenied
            case invalidService
            case invalidServiceType
            case invalidHostName
            case collision
            case timedOut
            case noNetwork
            case tooManyObjects
            case notSupported
            case closed
            case failure
        }

        private let name: Name

        /// The Avahi daemon is not running.
        public static let daemonUnavailable = Code(name: .daemonUnavailable)
        /// There is no D-Bus system bus, so the daemon cannot be reached.
        public static let busUnavailable = Code(name: .busUnavailable)
        /// The daemon or the bus denies access to this program.
        public static let accessDenied = Code(name: .accessDenied)
        /// A name, port, address or TXT record is not valid.
        public static let invalidService = Code(name: .invalidService)
        /// The service type is not of the form `_name._tcp`.
        public static let invalidServiceType = Code(name: .invalidServiceType)
        /// A host or domain name is not valid.
        public static let invalidHostName = Code(name: .invalidHostName)
        /// Another service or host uses the name.
        public static let collision = Code(name: .collision)
        /// No answer came in time.
        public static let timedOut = Code(name: .timedOut)
        /// No network interface can be used for discovery.
        public static let noNetwork = Code(name: .noNetwork)
        /// The daemon's limit of objects, entries or clients is reached.
        public static let tooManyObjects = Code(name: .tooManyObjects)
        /// The daemon does not support the operation.
        public static let notSupported = Code(name: .notSupported)
        /// The connection's scope has ended.
        public static let closed = Code(name: .closed)
        /// Any other error.
        public static let failure = Code(name: .failure)

        /// The code's name.
        public var description: String { name.rawValue }
    }

    /// The kind of the error.
    public var code: Code

    /// What went wrong, and why, in words that a person without technical knowledge understands.
    public var message: String

    /// What the person can do; nil if nothing helps.
    public var remedy: String?

    /// The underlying `AVAHI_ERR_…` number; nil if there is none.
    public var avahiCode: Int32?

    /// Creates an error.
    package init(_ code: Code, _ message: String, remedy: String? = nil, avahiCode: Int32? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.avahiCode = avahiCode
    }
}

extension AvahiError: CustomStringConvertible {
    /// The code, the message and the remedy on one line.
    public var description: String {
        [String(describing: code) + ":", message, remedy].compactMap { $0 }.joined(separator: " ")
    }
}

extension AvahiError: Hashable {}
