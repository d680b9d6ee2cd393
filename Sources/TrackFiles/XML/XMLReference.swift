/// A reference to a character in XML: by number, or by one of the five names that are always there.
enum XMLReference: Equatable {
    case character(Unicode.Scalar)
    /// Half of a character in UTF-16.
    case surrogate(UInt32)
    /// The number of something that no text can have.
    case notAllowed
    /// A name that is not known.
    case unknown

    /// The maximum length of what stands between `&` and `;`: that of "#x10FFFF", with zeros before it.
    static let maximumLength = 20

    /// Creates a reference from what stands between `&` and `;`.
    init(_ name: [UInt8]) {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": self = .character("&")
        case "lt": self = .character("<")
        case "gt": self = .character(">")
        case "quot": self = .character("\"")
        case "apos": self = .character("'")
        case let name:
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            let isNumber = digits.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (isHexadecimal && (0x61...0x66).contains(byte | 0x20))
            }
            guard name.hasPrefix("#"), !digits.isEmpty, isNumber else {
                self = .unknown
                return
            }
            self = UInt32(digits, radix: isHexadecimal ? 16 : 10).map(Self.init(number:)) ?? .notAllowed
        }
    }

    private init(number: UInt32) {
        switch number {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
            self = Unicode.Scalar(number).map(Self.character) ?? .notAllowed
        case 0xD800...0xDFFF: self = .surrogate(number)
        default: self = .notAllowed
        }
    }

    /// Returns whether a byte may stand between `&` and `;`.
    static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x23, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Returns whether half of a character is the first one.
    static func isHigh(_ half: UInt32) -> Bool { (0xD800...0xDBFF).contains(half) }

    /// Returns the character of two halves; nil if they do not belong together.
    static func joined(_ high: UInt32, _ low: UInt32) -> Unicode.Scalar? {
        guard isHigh(high), (0xDC00...0xDFFF).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
}
