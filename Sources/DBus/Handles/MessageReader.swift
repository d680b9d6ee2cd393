import CDBus

/// Reads the arguments of a message.
///
/// libdbus has checked that the message is well formed: names, UTF-8, signatures and lengths. The reader checks only
/// that the message is not too large for this program.
struct MessageReader {
    private var valueCount = 0

    /// Reads all arguments.
    mutating func arguments(of message: OpaquePointer) throws(DBusError) -> [DBusValue] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        return try values(&iterator, depth: 0)
    }

    private mutating func values(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> [DBusValue] {
        guard depth < DBusLimits.depth else { throw Self.tooLarge }
        var values: [DBusValue] = []
        while dbus_message_iter_get_arg_type(&iterator) != DBusType.invalid {
            values.append(try value(&iterator, depth: depth))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> DBusValue {
        valueCount += 1
        guard valueCount <= DBusLimits.valueCount else { throw Self.tooLarge }
        switch dbus_message_iter_get_arg_type(&iterator) {
        case DBusType.byte: return .byte(basic(&iterator, 0))
        case DBusType.boolean: return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
        case DBusType.int16: return .int16(basic(&iterator, 0))
        case DBusType.uint16: return .uint16(basic(&iterator, 0))
        case DBusType.int32: return .int32(basic(&iterator, 0))
        case DBusType.uint32: return .uint32(basic(&iterator, 0))
        case DBusType.int64: return .int64(basic(&iterator, 0))
        case DBusType.uint64: return .uint64(basic(&iterator, 0))
        case DBusType.double: return .double(basic(&iterator, 0))
        case DBusType.string: return .string(text(&iterator))
        case DBusType.objectPath: return .objectPath(text(&iterator))
        case DBusType.signature: return .signature(text(&iterator))
        case DBusType.variant:
            guard let inner = try contents(&iterator, depth: depth).first else { throw Self.unexpected }
            return .variant(inner)
        case DBusType.structure: return .structure(try contents(&iterator, depth: depth))
        case DBusType.array: return try array(&iterator, depth: depth)
        default: throw Self.unexpected
        }
    }

    private mutating func array(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> DBusValue {
        let element = dbus_message_iter_get_element_type(&iterator)
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        let signature = Self.signature(&inner)
        switch element {
        case DBusType.byte:
            var start: UnsafePointer<UInt8>?
            var count: CInt = 0
            dbus_message_iter_get_fixed_array(&inner, &start, &count)
            return .bytes(Array(UnsafeBufferPointer(start: start, count: max(0, Int(count)))))
        case DBusType.dictionaryEntry:
            var entries: [DBusValue.Entry] = []
            while dbus_message_iter_get_arg_type(&inner) != DBusType.invalid {
                let pair = try contents(&inner, depth: depth + 1)
                guard pair.count == 2 else { throw Self.unexpected }
                entries.append(DBusValue.Entry(key: pair[0], value: pair[1]))
                dbus_message_iter_next(&inner)
            }
            // The signature of an entry is {KEY VALUE}, and a key has one letter.
            let types = signature.dropFirst().dropLast()
            return .dictionary(entries, key: String(types.prefix(1)), value: String(types.dropFirst()))
        default: return .array(try values(&inner, depth: depth + 1), of: signature)
        }
    }

    private mutating func contents(_ iterator: inout DBusMessageIter, depth: Int) throws(DBusError) -> [DBusValue] {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return try values(&inner, depth: depth + 1)
    }

    private func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ empty: Value) -> Value {
        var value = empty
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private func text(_ iterator: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    private static func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let pointer = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(pointer) }
        return String(cString: pointer)
    }

    private static let tooLarge = DBusError(.badAnswer, "An answer is too large.")
    private static let unexpected = DBusError(.badAnswer, "An answer has a form that is not expected.")
}
