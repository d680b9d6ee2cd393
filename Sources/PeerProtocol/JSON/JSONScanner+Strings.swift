// Strings: their escapes and their UTF-8.
extension JSONScanner {
    /// Reads a string piece by piece, without escapes.
    package mutating func readString(inPiecesOf length: Int, _ read: (_ piece: [UInt8]) throws -> Void) throws {
        var text: [UInt8] = []
        try skip("\"")
        while try readCharacter(to: &text) {
            guard text.count >= length else { continue }
            try read(text)
            text.removeAll(keepingCapacity: true)
        }
        if !text.isEmpty { try read(text) }
    }

    mutating func skipString() throws {
        index += 1
        var character: [UInt8] = []
        repeat {
            character.removeAll(keepingCapacity: true)
            // Nearly all bytes of long strings are skipped here.
            while index < end, Self.isPlain(piece[index]) { index += 1 }
        } while try readCharacter(to: &character)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Reads a character of a string, and adds it in UTF-8; returns false for the quotation mark at the end.
    mutating func readCharacter(to text: inout [UInt8]) throws -> Bool {
        let byte = try next()
        switch byte {
        case UInt8(ascii: "\""): return false
        case UInt8(ascii: "\\"): try readEscape(to: &text)
        case 0x20..<0x80: text.append(byte)
        case 0x80...: try readCharacter(startingWith: byte, to: &text)
        default: throw JSONFault.notJSON
        }
        return true
    }

    /// Reads the rest of a character of several bytes (RFC 3629, section 4).
    private mutating func readCharacter(startingWith first: UInt8, to text: inout [UInt8]) throws {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch first {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw JSONFault.notUTF8
            }
        text.append(first)
        for number in 2...length {
            let byte = try next()
            guard (number == 2 ? second : 0x80...0xBF).contains(byte) else { throw JSONFault.notUTF8 }
            text.append(byte)
        }
    }

    private mutating func readEscape(to text: inout [UInt8]) throws {
        let byte = try next()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try readFourDigits()
            // A character outside the basic plane has two escapes (RFC 8259, section 7).
            if (0xD800..<0xDC00).contains(code) {
                guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else { throw JSONFault.notUTF8 }
                let low = try readFourDigits()
                guard (0xDC00..<0xE000).contains(low) else { throw JSONFault.notUTF8 }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            // Half a pair is no character.
            guard let scalar = Unicode.Scalar(code) else { throw JSONFault.notUTF8 }
            text.append(contentsOf: scalar.utf8)
        default: throw JSONFault.notJSON
        }
    }

    private mutating func readFourDigits() throws -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try next())).hexDigitValue else { throw JSONFault.notJSON }
            code = code << 4 | UInt32(digit)
        }
        return code
    }
}
