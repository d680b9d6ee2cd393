import CDBus

/// The owner of one message.
final class MessageHandle {
    let pointer: OpaquePointer

    /// Takes over a message that the caller owns.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

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

    /// Reads the message; a signal whose arguments cannot be read is not reported.
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

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

extension DBusError {
    static let outOfMemory = DBusError(.closed, "There is no memory left for a message.")
}

extension MessageHandle {
    /// Checks arguments before libdbus gets them.
    ///
    /// libdbus does not check them: an invalid argument ends the process, or makes the bus end the connection.
    struct Checker {
        private var length = 0

        /// Checks all arguments of a message.
        mutating func check(_ arguments: [DBusValue]) throws(DBusError) {
            for argument in arguments { try check(argument, depth: 0) }
            try DBusNames.check(signature: arguments.map(\.typeSignature).joined())
        }

        private mutating func check(_ value: DBusValue, depth: Int) throws(DBusError) {
            guard depth < DBusLimits.depth else { throw Self.invalid }
            try count(1)
            switch value {
            case .string(let text):
                try DBusNames.check(string: text)
                try count(text.utf8.count)
            case .objectPath(let path):
                try DBusNames.check(path: path)
                try count(path.utf8.count)
            case .signature(let signature): try DBusNames.check(signature: signature)
            case .bytes(let bytes): try count(bytes.count)
            case .variant(let inner):
                try check(inner, depth: depth + 1)
                try DBusNames.check(singleType: inner.typeSignature)
            case .structure(let fields):
                guard !fields.isEmpty else { throw Self.invalid }
                for field in fields { try check(field, depth: depth + 1) }
            case .array(let elements, let signature):
                try DBusNames.check(singleType: signature)
                for element in elements {
                    guard element.typeSignature == signature else { throw Self.invalid }
                    try check(element, depth: depth + 1)
                }
            case .dictionary(let entries, let key, let element):
                try DBusNames.check(singleType: "a{" + key + element + "}")
                for entry in entries {
                    guard entry.key.typeSignature == key, entry.value.typeSignature == element else {
                        throw Self.invalid
                    }
                    try check(entry.key, depth: depth + 1)
                    try check(entry.value, depth: depth + 1)
                }
            default: break
            }
        }

        /// Counts bytes roughly, so that no message is larger than the bus accepts.
        private mutating func count(_ bytes: Int) throws(DBusError) {
            length += bytes
            guard length <= DBusLimits.messageLength else { throw Self.invalid }
        }

        private static let invalid = DBusError(.invalidArgument, "A value is not valid for D-Bus.")
    }
}
