/// The bytes that mean something in XML.
enum XMLMark {
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let exclamation: UInt8 = 0x21
    static let quotation: UInt8 = 0x22
    static let ampersand: UInt8 = 0x26
    static let apostrophe: UInt8 = 0x27
    static let hyphen: UInt8 = 0x2D
    static let slash: UInt8 = 0x2F
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equal: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let question: UInt8 = 0x3F
    static let leftBracket: UInt8 = 0x5B
    static let rightBracket: UInt8 = 0x5D

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == lineFeed || byte == carriageReturn
    }

    /// Returns whether a byte of a text is taken as it is.
    static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 || byte == 0x09 || byte == lineFeed }

    static func isName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x5F, 0x3A, 0x80...0xFF: true
        case 0x30...0x39, 0x2D, 0x2E: !isFirst
        default: false
        }
    }
}
