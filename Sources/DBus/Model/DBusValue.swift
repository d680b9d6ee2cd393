/// A value of a D-Bus message.
///
/// (D-Bus specification, "Type System".) File descriptors are not among them: connections neither send nor accept any.
///
/// For example, the argument of a method that takes a dictionary of settings:
///
/// ```swift
/// let settings: DBusValue = .settings(["mode": .string("ap"), "channel": .uint32(6)])
/// ```
package indirect enum DBusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An array of bytes, such as the name of a Wi-Fi network.
    case bytes([UInt8])
    /// An array; the signature of the elements is needed if there are none.
    case array([DBusValue], of: String)
    case structure([DBusValue])
    /// A dictionary, in the order of the message.
    case dictionary([Entry], key: String, value: String)
    /// A value with its own type.
    case variant(DBusValue)

    /// An entry of a dictionary.
    package struct Entry: Hashable, Sendable {
        /// The key, of a basic type.
        package var key: DBusValue
        /// The value.
        package var value: DBusValue

        package init(key: DBusValue, value: DBusValue) {
            self.key = key
            self.value = value
        }
    }

    /// Returns a dictionary from strings to variants (`a{sv}`), sorted by key.
    package static func settings(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            values.sorted { $0.key < $1.key }.map { Entry(key: .string($0.key), value: .variant($0.value)) },
            key: "s",
            value: "v"
        )
    }

    /// Returns an array of strings.
    package static func strings(_ values: [String]) -> DBusValue { .array(values.map(DBusValue.string), of: "s") }

    /// The signature of the value. (D-Bus specification, "Summary of types".)
    package var typeSignature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .structure(let fields): "(" + fields.map(\.typeSignature).joined() + ")"
        case .dictionary(_, let key, let value): "a{" + key + value + "}"
        case .variant: "v"
        }
    }
}

/// Values as Swift types; nil for a value of another type. Variants are unwrapped.
extension DBusValue {
    /// The value without the variants around it.
    private var unwrapped: DBusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A string, an object path or a signature.
    package var text: String? {
        switch unwrapped {
        case .string(let text), .objectPath(let text), .signature(let text): text
        default: nil
        }
    }

    /// A truth value.
    package var flag: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }

    /// An integer without a sign.
    package var unsigned: UInt64? {
        switch unwrapped {
        case .byte(let value): UInt64(value)
        case .uint16(let value): UInt64(value)
        case .uint32(let value): UInt64(value)
        case .uint64(let value): value
        default: nil
        }
    }

    /// The elements of an array or a structure.
    package var elements: [DBusValue]? {
        switch unwrapped {
        case .array(let values, _), .structure(let values): values
        default: nil
        }
    }

    /// Bytes.
    package var data: [UInt8]? { if case .bytes(let bytes) = unwrapped { bytes } else { nil } }

    /// The dictionary from strings to values; if several entries have the same key, the last one counts.
    package var members: [String: DBusValue]? {
        guard case .dictionary(let entries, _, _) = unwrapped else { return nil }
        var members: [String: DBusValue] = [:]
        for entry in entries {
            guard let key = entry.key.text else { return nil }
            members[key] = entry.value
        }
        return members
    }
}

/// The codes of types. (D-Bus specification, "Summary of types".)
///
/// They are macros of C that Swift does not import.
enum DBusType {
    static let invalid: CInt = 0
    static let byte = code("y")
    static let boolean = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let int64 = code("x")
    static let uint64 = code("t")
    static let double = code("d")
    static let string = code("s")
    static let objectPath = code("o")
    static let signature = code("g")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ letter: Unicode.Scalar) -> CInt { CInt(truncatingIfNeeded: letter.value) }
}
