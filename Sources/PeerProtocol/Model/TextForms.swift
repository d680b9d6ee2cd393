package import FoundationEssentials

/// Base64url without padding (RFC 4648, section 5), in which every sequence of bytes has exactly one text form.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Returns the text form of bytes.
    static func text(of bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for position in 0...group.count {
                characters.append(alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads the text form of exactly `count` bytes.
    ///
    /// Nil for anything else, also where the bits left over are not 0.
    static func bytes(of text: some StringProtocol, count: Int) -> [UInt8]? {
        let length = (count * 8 + 5) / 6
        let characters = Array(text.utf8.prefix(length + 1))
        guard characters.count == length else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for character in characters {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= 1 << UInt32(bitCount) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Bytes as hexadecimal text.
package enum Hexadecimal {
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits: StaticString = "0123456789abcdef"
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[index * 2] = digits.utf8Start[Int(byte >> 4)]
                text[index * 2 + 1] = digits.utf8Start[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// Decodes an even number of digits, upper or lower case; nil for anything else.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Bytes as text in 32 characters that people can read aloud and type: the digits and the upper-case letters without I, L, O
/// and U.
///
/// Five bits make a character, the highest bits first. The bits that are missing in the last character are 0.
package enum Base32 {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns the text form of bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var characters: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                characters.append(alphabet[Int(bits >> bitCount & 31)])
            }
            bits &= 1 << bitCount - 1
        }
        if bitCount > 0 { characters.append(alphabet[Int(bits << (5 - bitCount) & 31)]) }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Reads bytes from the characters of their text form; nil for anything else.
    ///
    /// A text with a character too many, or with a bit set after the last byte, is not the text form of any bytes.
    package static func decode(_ characters: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in characters {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt32(truncatingIfNeeded: value)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= 1 << bitCount - 1
            }
        }
        // A second text for the same bytes would pass as another secret where texts are compared.
        return bits == 0 && bitCount < 5 ? bytes : nil
    }

    /// Returns the characters of the canonical form of a text that a person has typed.
    ///
    /// Letters become upper case. O becomes 0; I and L become 1. Hyphens and spaces are left out.
    package static func normalized(_ text: some Sequence<UInt8>) -> [UInt8] {
        var characters: [UInt8] = []
        for character in text {
            switch character {
            case UInt8(ascii: "-"), UInt8(ascii: " "): break
            case UInt8(ascii: "O"), UInt8(ascii: "o"): characters.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "L"), UInt8(ascii: "l"):
                characters.append(UInt8(ascii: "1"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): characters.append(character & 0xDF)
            default: characters.append(character)
            }
        }
        return characters
    }
}

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
    ///
    /// - Throws: `DecodingError` for any other text.
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
