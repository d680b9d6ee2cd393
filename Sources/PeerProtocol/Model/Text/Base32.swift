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
