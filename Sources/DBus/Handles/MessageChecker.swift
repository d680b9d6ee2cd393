/// Checks arguments before libdbus gets them.
///
/// libdbus does not check them: an invalid argument ends the process, or makes the bus end the connection.
struct MessageChecker {
    private var length = 0

    /// Checks all arguments of a message.
    ///
    /// - Throws: ``DBusError`` with ``DBusError/Code/invalidArgument``.
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
                guard entry.key.typeSignature == key, entry.value.typeSignature == element else { throw Self.invalid }
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
