/// An error of D-Bus, or of a service on the bus: what went wrong and why.
package struct DBusError: Error, Hashable, Sendable {
    /// The kind of an error.
    package enum Code: String, Sendable {
        /// There is no bus at the address.
        case busUnavailable
        /// There is a bus, and it does not let this user in.
        case notAccepted
        /// No program on the bus has the name of the service.
        case serviceUnavailable
        /// The service or the bus denies access to this program.
        case accessDenied
        /// The service has answered with an error of its own; see ``DBusError/name``.
        case refused
        /// No answer came in time.
        case timedOut
        /// The answer does not have the expected form, or exceeds a limit.
        case badAnswer
        /// A name or a value cannot be sent.
        case invalidArgument
        /// The connection's scope has ended, or the task was cancelled.
        case closed
        /// The bus has ended the connection.
        case connectionLost
    }

    /// The kind of the error.
    package var code: Code

    /// What went wrong, and why.
    package var message: String

    /// The name of the error of the service, such as `org.freedesktop.NetworkManager.PermissionDenied`; nil if it is not the
    /// service's.
    package var name: String?

    package init(_ code: Code, _ message: String, name: String? = nil) {
        self.code = code
        self.message = message
        self.name = name
    }

    /// Translates an answer that is an error.
    init(name: String, message: String?) {
        let code: Code =
            switch name {
            case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
                .serviceUnavailable
            case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
                "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
                .accessDenied
            case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout",
                "org.freedesktop.DBus.Error.TimedOut":
                .timedOut
            default: .refused
            }
        self.init(code, message.map { String($0.prefix(500)) } ?? name, name: name)
    }

    static let closed = DBusError(.closed, "The connection to D-Bus is closed.")
}

extension DBusError: CustomStringConvertible {
    /// The code, the name and the message on one line.
    package var description: String {
        [code.rawValue + ":", name.map { $0 + ":" }, message].compactMap { $0 }.joined(separator: " ")
    }
}
