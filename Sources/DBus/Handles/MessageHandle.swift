import CDBus

/// The owner of one message.
final class MessageHandle {
    let pointer: OpaquePointer

    /// Takes over a message that the caller owns.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Creates a call without arguments.
    init(calling method: DBusMethod) throws(DBusError) {
        try DBusNames.check(service: method.service)
        try DBusNames.check(path: method.path)
        try DBusNames.check(interface: method.interface)
        try DBusNames.check(member: method.name)
        guard let pointer = dbus_message_new_method_call(method.service, method.path, method.interface, method.name)
        else { throw .outOfMemory }
        self.pointer = pointer
        // A question must not start a service that does not run.
        dbus_message_set_auto_start(pointer, 0)
    }

    deinit { dbus_message_unref(pointer) }

    /// What a message is.
    enum Content {
        /// The answer to the call with this serial number.
        case answer(to: UInt32, Result<[DBusValue], DBusError>)
        case signal(DBusSignal)
        /// A call from another program, which wants an answer.
        case call
        /// A message of an unknown type.
        case other
    }

    /// Reads the message.
    ///
    /// A signal whose arguments cannot be read is not reported.
    func read() -> Content {
        switch dbus_message_get_type(pointer) {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN:
            do throws(DBusError) {
                return .answer(to: dbus_message_get_reply_serial(pointer), .success(try arguments()))
            } catch {
                return .answer(to: dbus_message_get_reply_serial(pointer), .failure(error))
            }
        case DBUS_MESSAGE_TYPE_ERROR:
            let name = text(dbus_message_get_error_name(pointer)) ?? "an error without a name"
            // By convention, the first argument of an error is its message.
            let message = (try? arguments())?.first?.text
            return .answer(
                to: dbus_message_get_reply_serial(pointer),
                .failure(DBusError(name: name, message: message))
            )
        case DBUS_MESSAGE_TYPE_SIGNAL:
            guard let path = text(dbus_message_get_path(pointer)),
                let interface = text(dbus_message_get_interface(pointer)),
                let name = text(dbus_message_get_member(pointer)),
                let arguments = try? arguments()
            else { return .other }
            let sender = text(dbus_message_get_sender(pointer))
            return .signal(
                DBusSignal(sender: sender, path: path, interface: interface, name: name, arguments: arguments)
            )
        case DBUS_MESSAGE_TYPE_METHOD_CALL: return .call
        default: return .other
        }
    }

    /// Returns the answer to a call, since this program has no methods; nil if there is no memory for it.
    func refusal() -> MessageHandle? {
        dbus_message_new_error(pointer, DBUS_ERROR_UNKNOWN_METHOD, "This program has no methods.")
            .map(MessageHandle.init(owning:))
    }

    private func arguments() throws(DBusError) -> [DBusValue] {
        var reader = MessageReader()
        return try reader.arguments(of: pointer)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }
}

extension DBusError {
    static let outOfMemory = DBusError(.closed, "There is no memory left for a message.")
}
