import CDBus

/// Writes the arguments of a message.
struct MessageWriter {
    /// Checks and writes arguments.
    static func write(_ arguments: [DBusValue], to message: MessageHandle) throws(DBusError) {
        var checker = MessageHandle.Checker()
        try checker.check(arguments)
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message.pointer, &iterator)
        for argument in arguments { try append(argument, to: &iterator) }
    }

    private static func append(_ value: DBusValue, to iterator: inout DBusMessageIter) throws(DBusError) {
        switch value {
        case .byte(let value): try basic(value, DBusType.byte, &iterator)
        case .boolean(let value): try basic(dbus_bool_t(value ? 1 : 0), DBusType.boolean, &iterator)
        case .int16(let value): try basic(value, DBusType.int16, &iterator)
        case .uint16(let value): try basic(value, DBusType.uint16, &iterator)
        case .int32(let value): try basic(value, DBusType.int32, &iterator)
        case .uint32(let value): try basic(value, DBusType.uint32, &iterator)
        case .int64(let value): try basic(value, DBusType.int64, &iterator)
        case .uint64(let value): try basic(value, DBusType.uint64, &iterator)
        case .double(let value): try basic(value, DBusType.double, &iterator)
        case .string(let text): try append(text, DBusType.string, &iterator)
        case .objectPath(let text): try append(text, DBusType.objectPath, &iterator)
        case .signature(let text): try append(text, DBusType.signature, &iterator)
        case .bytes(let bytes):
            try container(DBusType.array, "y", &iterator) { inner throws(DBusError) in
                for byte in bytes { try basic(byte, DBusType.byte, &inner) }
            }
        case .array(let elements, let signature):
            try container(DBusType.array, signature, &iterator) { inner throws(DBusError) in
                for element in elements { try append(element, to: &inner) }
            }
        case .structure(let fields):
            try container(DBusType.structure, nil, &iterator) { inner throws(DBusError) in
                for field in fields { try append(field, to: &inner) }
            }
        case .dictionary(let entries, let key, let element):
            try container(DBusType.array, "{" + key + element + "}", &iterator) { inner throws(DBusError) in
                for entry in entries {
                    try container(DBusType.dictionaryEntry, nil, &inner) { pair throws(DBusError) in
                        try append(entry.key, to: &pair)
                        try append(entry.value, to: &pair)
                    }
                }
            }
        case .variant(let inner):
            try container(DBusType.variant, inner.typeSignature, &iterator) { content throws(DBusError) in
                try append(inner, to: &content)
            }
        }
    }

    private static func basic<Value: BitwiseCopyable>(
        _ value: Value,
        _ type: CInt,
        _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        var value = value
        guard dbus_message_iter_append_basic(&iterator, type, &value) != 0 else { throw .outOfMemory }
    }

    private static func append(_ text: String, _ type: CInt, _ iterator: inout DBusMessageIter) throws(DBusError) {
        let isAppended = text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&iterator, type, &pointer)
        }
        guard isAppended != 0 else { throw .outOfMemory }
    }

    private static func container(
        _ type: CInt,
        _ signature: String?,
        _ iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, type, signature, &inner) != 0 else { throw .outOfMemory }
        do throws(DBusError) {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .outOfMemory }
    }
}
