import CAvahi

/// An error of Avahi: what went wrong, why, and what a person can do about it.
public struct AvahiError: Error, Sendable {
    /// The kind of an error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// The Avahi daemon is not running.
        public static let daemonUnavailable = Code(name: "daemonUnavailable")
        /// There is no D-Bus system bus, so the daemon cannot be reached.
        public static let busUnavailable = Code(name: "busUnavailable")
        /// The daemon or the bus denies access to this program.
        public static let accessDenied = Code(name: "accessDenied")
        /// A name, port, address or TXT record is not valid.
        public static let invalidService = Code(name: "invalidService")
        /// The service type is not of the form `_name._tcp`.
        public static let invalidServiceType = Code(name: "invalidServiceType")
        /// A host or domain name is not valid.
        public static let invalidHostName = Code(name: "invalidHostName")
        /// Another service or host uses the name.
        public static let collision = Code(name: "collision")
        /// No answer came in time.
        public static let timedOut = Code(name: "timedOut")
        /// No network interface can be used for discovery.
        public static let noNetwork = Code(name: "noNetwork")
        /// The daemon's limit of objects, entries or clients is reached.
        public static let tooManyObjects = Code(name: "tooManyObjects")
        /// The daemon does not support the operation.
        public static let notSupported = Code(name: "notSupported")
        /// The connection's scope has ended.
        public static let closed = Code(name: "closed")
        /// Any other error.
        public static let failure = Code(name: "failure")

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of the error.
    public var code: Code

    /// What went wrong, and why, in words that a person without technical knowledge understands.
    public var message: String

    /// What the person can do; nil if nothing helps.
    public var remedy: String?

    /// The underlying `AVAHI_ERR_…` number; nil if there is none.
    public var avahiCode: Int32?

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

extension AvahiError {
    /// Translates an `AVAHI_ERR_…` number; every one is translated here.
    static func translating(_ number: Int32) -> AvahiError {
        let (code, message, remedy) = words(for: Int(number))
        let detail = avahi_strerror(number).map { String(cString: $0) } ?? "unknown"
        return AvahiError(code, message ?? "The Avahi daemon reports: \(detail).", remedy: remedy, avahiCode: number)
    }

    /// Translates the error of a client that could not be created.
    ///
    /// Here, Avahi's "daemon not running" means that the socket of the bus does not exist: for a client that waits for
    /// the daemon, an absent daemon is no error.
    static func translatingClientCreation(_ number: Int32) -> AvahiError {
        switch Int(number) {
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DBUS_ERROR, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_FAILURE, AVAHI_ERR_OS:
            busUnavailable(number)
        default: translating(number)
        }
    }

    /// The daemon is not on the bus, or the bus lets this program not reach it.
    static func daemonUnavailable(_ number: Int32? = nil, isRunning: Bool = AvahiDaemon.isRunning) -> AvahiError {
        guard !isRunning else {
            return AvahiError(
                .daemonUnavailable,
                "The Avahi daemon, which finds devices nearby, is running, but this program does not reach it over D-Bus.",
                avahiCode: number
            )
        }
        return AvahiError(
            .daemonUnavailable,
            "The Avahi daemon, which finds devices nearby, is not running.",
            remedy: "Start it with: sudo systemctl start avahi-daemon",
            avahiCode: number
        )
    }

    /// The daemon is on the bus but does not answer.
    static func noAnswer() -> AvahiError {
        AvahiError(
            .timedOut,
            "The Avahi daemon, which finds devices nearby, does not answer.",
            remedy: "Restart it with: sudo systemctl restart avahi-daemon"
        )
    }

    /// The bus itself cannot be reached.
    static func busUnavailable(_ number: Int32) -> AvahiError {
        AvahiError(
            .busUnavailable,
            "The D-Bus system bus, through which the Avahi daemon is reached, is not running.",
            remedy: "Start both with: sudo systemctl start dbus avahi-daemon",
            avahiCode: number
        )
    }

    /// The scope of the connection has ended.
    static var closed: AvahiError { AvahiError(.closed, "The connection to the Avahi daemon is closed.") }

    /// The name of the daemon's setting (avahi-daemon.conf(5)) whose maximum is reached; nil if the error has another reason.
    package var reachedLimit: String? { avahiCode.flatMap { Self.limit(for: Int($0)) } }

    private static func limit(for number: Int) -> String? {
        switch number {
        case AVAHI_ERR_TOO_MANY_CLIENTS: "clients-max"
        case AVAHI_ERR_TOO_MANY_OBJECTS: "objects-per-client-max"
        case AVAHI_ERR_TOO_MANY_ENTRIES: "entries-per-entry-group-max"
        default: nil
        }
    }

    private static func words(for number: Int) -> (Code, message: String?, remedy: String?) {
        switch number {
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED:
            let error = daemonUnavailable()
            return (error.code, error.message, error.remedy)
        case AVAHI_ERR_DBUS_ERROR:
            let error = busUnavailable(Int32(AVAHI_ERR_DBUS_ERROR))
            return (error.code, error.message, error.remedy)
        case AVAHI_ERR_ACCESS_DENIED, AVAHI_ERR_NOT_PERMITTED:
            return (
                .accessDenied, "The Avahi daemon does not permit this.",
                "Look for disable-publishing and disable-user-service-publishing in /etc/avahi/avahi-daemon.conf."
            )
        case AVAHI_ERR_INVALID_SERVICE_NAME, AVAHI_ERR_INVALID_PORT, AVAHI_ERR_INVALID_ADDRESS, AVAHI_ERR_INVALID_KEY,
            AVAHI_ERR_INVALID_RECORD, AVAHI_ERR_INVALID_RDATA, AVAHI_ERR_INVALID_TTL, AVAHI_ERR_INVALID_INTERFACE,
            AVAHI_ERR_INVALID_PROTOCOL, AVAHI_ERR_IS_EMPTY:
            return (.invalidService, nil, nil)
        case AVAHI_ERR_INVALID_SERVICE_TYPE, AVAHI_ERR_INVALID_SERVICE_SUBTYPE:
            return (.invalidServiceType, nil, "A service type looks like _name._tcp.")
        case AVAHI_ERR_INVALID_HOST_NAME, AVAHI_ERR_INVALID_DOMAIN_NAME: return (.invalidHostName, nil, nil)
        case AVAHI_ERR_COLLISION:
            return (.collision, "Another device nearby already uses this name.", "Choose another name.")
        case AVAHI_ERR_TIMEOUT:
            return (
                .timedOut, "The other device did not answer in time.", "Check that it is on and on the same network."
            )
        case AVAHI_ERR_NO_NETWORK:
            return (
                .noNetwork, "There is no network that discovery can use.",
                "Connect to a network, or the two devices with a cable."
            )
        case AVAHI_ERR_TOO_MANY_CLIENTS, AVAHI_ERR_TOO_MANY_OBJECTS, AVAHI_ERR_TOO_MANY_ENTRIES:
            return (
                .tooManyObjects, "The Avahi daemon is used by too many programs, or too heavily, at once.",
                "End other programs that use it, or take \(limit(for: number) ?? "its limits") out of /etc/avahi/avahi-daemon.conf."
            )
        case AVAHI_ERR_NOT_SUPPORTED, AVAHI_ERR_VERSION_MISMATCH: return (.notSupported, nil, "Update avahi-daemon.")
        default: return (.failure, nil, nil)
        }
    }
}
