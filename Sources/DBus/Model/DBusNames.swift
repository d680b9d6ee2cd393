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

    static func check(string: String) throws(DBusError) { try check(string, "string", dbus_validate_utf8) }

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
