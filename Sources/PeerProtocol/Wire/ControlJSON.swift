package import FoundationEssentials

/// The JSON of control frames and manifests: dates are ISO 8601 in whole seconds, keys are sorted so that equal values
/// give equal bytes.
package enum ControlJSON {
    /// The longest key of an object, in bytes as they are written.
    package static let maximumKeyLength = 1000

    /// The most values in one payload, those in objects and lists included.
    package static let maximumValueCount = 16_384

    /// The most values in a message of an application, counted in the same way.
    package static let maximumMessageValueCount = 131_072

    /// Why a peer's JSON is not decoded.
    package enum Unreadable: Error {
        /// It is in another encoding than UTF-8.
        case notUTF8
        /// It has a key that is longer than ``ControlJSON/maximumKeyLength``.
        case longKey
        /// It has more values than `ControlJSON.maximumValueCount`.
        case manyValues
        /// It is nested deeper than `StrictJSON.maximumDepth`.
        case tooDeep
        /// It is no JSON at all.
        case notJSON
        /// An object has a key twice.
        case duplicateKey
        /// A number has a fraction or an exponent where only integers may stand.
        case notInteger

        /// Whether it is too long or too large.
        var isLimit: Bool { self == .longKey || self == .manyValues }

        /// What it does, for people: the sentence begins with the frame or the manifest.
        var words: String {
            switch self {
            case .notUTF8: "is not in UTF-8"
            case .longKey: "has a longer key than allowed"
            case .manyValues: "has more parts than allowed"
            case .tooDeep: "is nested too deep"
            case .notJSON: "is not valid JSON"
            case .duplicateKey: "has the same key twice"
            case .notInteger: "has a fraction or an exponent where an integer must stand"
            }
        }
    }

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

    /// Reads a value from JSON of a peer.
    ///
    /// - Throws: ``Unreadable`` or what the decoder throws.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        integers: StrictJSON.Integers = .everywhere
    ) throws -> Value {
        try checkKeys(of: data)
        try checkValueCount(of: data)
        try StrictJSON.check(data, integers: integers)
        return try decoder().decode(type, from: data)
    }

    /// Checks JSON of a peer's application before a decoder reads it.
    ///
    /// - Throws: ``Unreadable`` if it is no JSON, has a key twice or a long one, has too many values, or is nested too deep.
    package static func checkMessage(_ data: Data) throws(Unreadable) {
        try checkKeys(of: data)
        try checkValueCount(of: data, atMost: maximumMessageValueCount)
        try StrictJSON.check(data, integers: .nowhere)
    }

    /// Checks that there are no more values than a number, whether the rest is JSON or not.
    ///
    /// A decoder makes many bytes of each: a megabyte of brackets takes 30 of memory.
    ///
    /// - Throws: ``Unreadable/manyValues`` if there are.
    package static func checkValueCount(
        of data: Data,
        atMost maximum: Int = maximumValueCount
    ) throws(Unreadable) {
        guard data.count > maximum else { return }
        let isTooMany = data.withUnsafeBytes { bytes -> Bool in
            var count = 1
            var position = 0
            var isInString = false
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""): isInString.toggle()
                case UInt8(ascii: "\\") where isInString: position += 1
                // Every value but the first stands behind one of these.
                case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += isInString ? 0 : 1
                default: break
                }
                if count > maximum { return true }
                position += 1
            }
            return false
        }
        if isTooMany { throw .manyValues }
    }

    /// Checks that no key is longer than ``maximumKeyLength``, whether the rest is JSON or not.
    ///
    /// A decoder looks keys up in a dictionary, and for that Swift brings combining marks into order: for a long run of
    /// them this takes the square of their number, minutes for a key of a megabyte.
    ///
    /// - Throws: ``Unreadable`` if one is, or if the bytes cannot be UTF-8.
    package static func checkKeys(of data: Data) throws(Unreadable) {
        let fault = data.withUnsafeBytes { bytes -> Unreadable? in
            var position = 0
            while position < bytes.count {
                let byte = bytes[position]
                // In other encodings, which decoders take too, every mark has a zero byte.
                if byte == 0 { return .notUTF8 }
                position += 1
                guard byte == UInt8(ascii: "\"") else { continue }
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    if bytes[position] == 0 { return .notUTF8 }
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                let length = position - start
                position += 1
                guard length > maximumKeyLength else { continue }
                var next = position
                while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
                if next < bytes.count, bytes[next] == UInt8(ascii: ":") { return .longKey }
            }
            return nil
        }
        if let fault { throw fault }
    }
}

extension KeyedDecodingContainer {
    /// Reads a value; nil only if its key is missing.
    ///
    /// `null` is a value, and of the wrong type.
    func decodeUnlessMissing<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}

extension RawRepresentable where RawValue == String {
    /// Reads one of a few short names; nil for any other text.
    ///
    /// A long one is not even compared, for the reason for which keys are not looked up (``ControlJSON/checkKeys(of:)``).
    package init?(shortNameFrom decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard name.utf8.count <= 64 else { return nil }
        self.init(rawValue: name)
    }
}

extension DecodingError {
    /// A text is none of the names that are known.
    package static func unknownName(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "the name is not known"))
    }
}
