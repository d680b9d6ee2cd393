import CDBus

/// Checks names before libdbus gets them.
///
/// libdbus ends the process if it gets an invalid name.
enum DBusNames {
    private typealias Check = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

    static func check(service: String) throws(DBusError) {
        try check(service, "name of a service", dbus_validate_bus_name)
    }

    static func check(path: String) throws(DBusError) {
        try check(path, "path of an object", dbus_validate_path)
    }

    static func check(interface: String) throws(DBusError) {
        try check(interface, "name of an interface", dbus_validate_interface)
    }

    static func check(member: String) throws(DBusError) {
        try check(member, "name of a method or signal", dbus_validate_member)
    }

    static func check(string: String) throws(DBusError) {
        try check(string, "string", dbus_validate_utf8)
    }

    static func check(signature: String) throws(DBusError) {
        try check(signature, "signature", dbus_signature_validate)
    }

    /// Checks the signature of one complete type.
    static func check(singleType signature: String) throws(DBusError) {
        try check(signature, "type", dbus_signature_validate_single)
    }

    private static func check(_ text: String, _ what: String, _ isValid: Check) throws(DBusError) {
        // libdbus reads up to the first zero byte.
        guard !text.utf8.contains(0), text.utf8.count <= DBusLimits.textLength, isValid(text, nil) != 0 else {
            throw DBusError(.invalidArgument, "A \(what) is not valid for D-Bus.")
        }
    }
}

/// A method of an object on the bus.
package struct DBusMethod: Hashable, Sendable {
    /// The service that has the object, such as `org.freedesktop.NetworkManager`.
    package var service: String
    /// The path of the object.
    package var path: String
    /// The interface that has the method.
    package var interface: String
    /// The name of the method.
    package var name: String

    /// Names a method.
    ///
    /// The names are checked when the method is called.
    package init(service: String, path: String, interface: String, name: String) {
        self.service = service
        self.path = path
        self.interface = interface
        self.name = name
    }
}

/// The limits for messages from the bus, and for the time of answers.
package enum DBusLimits {
    /// The maximum number of bytes of one message.
    static let messageLength = 4 << 20
    /// The maximum number of bytes of messages that wait to be read.
    static let waitingLength = 16 << 20
    /// The maximum number of bytes of a string that is sent.
    static let textLength = 1 << 20
    /// The maximum number of values in one message.
    static let valueCount = 200_000
    /// The maximum depth of nested values.
    static let depth = 32
    /// The maximum number of unread signals of one reader; older ones are dropped.
    static let unreadSignals = 64
    /// The maximum number of calls that wait for an answer.
    static let pendingCalls = 1_000
    /// The time within which a call must be answered if the caller names no other.
    package static let answerTime: Duration = .seconds(10)
}
