/// An error of Avahi: what went wrong, why, and what a person can do about it.
public struct AvahiError: Error, Sendable {
    /// What kind of error it is.
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
        /// There is no D-Bus system bus to reach the daemon over.
        public static let busUnavailable = Code(name: .busUnavailable)
        /// The daemon or the bus does not let this program in.
        public static let accessDenied = Code(name: .accessDenied)
        /// A name, port, address or TXT record cannot be published as it is.
        public static let invalidService = Code(name: .invalidService)
        /// The service type is not of the form `_name._tcp`.
        public static let invalidServiceType = Code(name: .invalidServiceType)
        /// A host or domain name is not valid.
        public static let invalidHostName = Code(name: .invalidHostName)
        /// Somebody else uses the name.
        public static let collision = Code(name: .collision)
        /// No answer came in time.
        public static let timedOut = Code(name: .timedOut)
        /// No network interface can be used for discovery.
        public static let noNetwork = Code(name: .noNetwork)
        /// The daemon's limit of objects, entries or clients is reached.
        public static let tooManyObjects = Code(name: .tooManyObjects)
        /// The daemon cannot do this.
        public static let notSupported = Code(name: .notSupported)
        /// The connection's scope has ended.
        public static let closed = Code(name: .closed)
        /// Anything else.
        public static let failure = Code(name: .failure)

        /// The code's name.
        public var description: String { name.rawValue }
    }

    /// What kind of error it is.
    public var code: Code

    /// What went wrong, and why, in plain words.
    public var message: String

    /// What to do about it; nil if there is nothing to do.
    public var remedy: String?

    /// The `AVAHI_ERR_…` number that led to this error; nil if none did.
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
