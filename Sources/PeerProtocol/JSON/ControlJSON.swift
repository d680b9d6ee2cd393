package import FoundationEssentials

/// The JSON of control frames and manifests: dates are ISO 8601 in whole seconds, keys are sorted so that equal values
/// give equal bytes.
package enum ControlJSON {
    /// The most values in one payload, those in objects and lists included.
    package static let maximumValueCount = 16_384

    /// The most values in a message of an application, counted in the same way.
    package static let maximumMessageValueCount = 131_072

    package static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    package static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// Writes a value.
    static func encode(
        _ value: some Encodable,
        called subject: String,
        else code: ProtocolError.Code = .invalidFrame
    ) throws(ProtocolError) -> Data {
        do {
            return try encoder().encode(value)
        } catch {
            throw ProtocolError(code, "\(subject) cannot be written as JSON.", cause: error)
        }
    }

    /// Reads a value from JSON of a peer.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        integers: JSONScanner.Integers = .everywhere,
        called subject: String,
        else code: ProtocolError.Code = .invalidFrame
    ) throws(ProtocolError) -> Value {
        do {
            try JSONScanner.check(data, JSONScanner.Rules(integers: integers), atMost: maximumValueCount)
            return try decoder().decode(type, from: data)
        } catch let fault as JSONFault {
            throw ProtocolError(fault.isLimit ? .limitExceeded : code, "\(subject) \(fault.words).")
        } catch {
            throw ProtocolError(code, "\(subject) cannot be read.", cause: error)
        }
    }

    /// Checks JSON of a peer's application before a decoder reads it.
    package static func checkMessage(_ data: Data) throws {
        try JSONScanner.check(data, JSONScanner.Rules(), atMost: maximumMessageValueCount)
    }
}

extension KeyedDecodingContainer {
    /// Reads a value; nil only if its key is missing.
    ///
    /// `null` is a value, and of the wrong type.
    package func decodeUnlessMissing<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension RawRepresentable where RawValue == String {
    /// Reads one of a few short names; nil for any other text.
    ///
    /// A long one is not even compared, for the reason for which keys are not looked up (`JSONScanner.maximumKeyLength`).
    package init?(shortNameFrom decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard name.utf8.count <= 64 else { return nil }
        self.init(rawValue: name)
    }
}

extension DecodingError {
    /// What is wrong with a value and where, as a clause: `sealed.fileName is not the name of a file`.
    var clause: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.place(context.codingPath + [key]) ?? "a value") is missing"
        case .dataCorrupted(let context) where Self.isPredicate(context.debugDescription):
            "\(Self.place(context.codingPath) ?? "it") \(context.debugDescription)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            "\(Self.place(context.codingPath) ?? "it") cannot be read"
        @unknown default: "it cannot be read"
        }
    }

    /// The keys that lead to a value; nil if the path has none.
    private static func place(_ path: [any CodingKey]) -> String? {
        let keys = path.filter { $0.intValue == nil }.map(\.stringValue)
        return keys.isEmpty ? nil : keys.joined(separator: ".")
    }

    /// Returns whether a description is one of this package's, and has no text of a peer.
    private static func isPredicate(_ text: String) -> Bool { text.hasPrefix("is ") || text.hasPrefix("has ") }

    /// A text is not a known name.
    package static func unknownName(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "the name is not known"))
    }
}
