package import FoundationEssentials

extension UUID {
    /// Parses the 36-character form, upper or lower case; nil for anything else.
    ///
    /// Foundation's own parser also takes signs, spaces and `0x` where digits belong, so that many texts would name
    /// the same thing.
    package init?(canonical text: some StringProtocol) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ Hexadecimal.decode($0) != nil })
        else { return nil }
        self.init(uuidString: String(text))
    }
}

extension String {
    /// Returns the longest prefix of the string that has at most `maximum` UTF-8 bytes and ends between two characters.
    package func prefix(utf8Count maximum: Int) -> String {
        guard utf8.count > maximum else { return self }
        var count = 0
        return String(
            prefix { character in
                count += character.utf8.count
                return count <= maximum
            }
        )
    }

    /// Returns the start of the string in one line: at most `maximum` UTF-8 bytes, with spaces for control characters.
    ///
    /// So JSON makes it at most twice as long.
    package func line(utf8Count maximum: Int) -> String {
        String(
            prefix(utf8Count: maximum).map { character in
                character.isNewline || character.unicodeScalars.contains { $0.value < 0x20 } ? " " : character
            }
        )
    }
}

extension KeyedDecodingContainer {
    /// Decodes an id, which is a UUID of 36 characters.
    func decodeID(forKey key: Key) throws -> UUID {
        guard let id = UUID(canonical: try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "an id is a UUID of 36 characters"
            )
        }
        return id
    }
}

extension Decoder {
    /// Reads a value that is one text; `form` says what the text must be.
    func value<Value>(_ form: String, _ read: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        guard let value = read(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: form)
        }
        return value
    }
}

extension Encoder {
    /// Writes one text.
    func write(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
