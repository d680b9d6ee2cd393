/// References to characters in XML: by number, or by one of the five names that are always there.
enum XMLReference {
    /// Returns the character that stands between `&` and `;`; nil if there is none.
    static func scalar(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHexadecimal = reference.hasPrefix("#x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        guard reference.hasPrefix("#"), digits.utf8.first != 0x2B, digits.utf8.first != 0x2D,
            let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D,
            value != 0xFFFE, value != 0xFFFF
        else { return nil }
        return Unicode.Scalar(value)
    }

    /// Returns a text in which every end of a line is a line feed and, unless it is raw, references are resolved.
    ///
    /// - Throws: ``XMLScanner/Malformed`` if a reference stands for nothing.
    static func resolved(_ bytes: ArraySlice<UInt8>, isRaw: Bool) throws(XMLScanner.Malformed) -> String {
        let (carriageReturn, lineFeed, ampersand, semicolon): (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x0A, 0x26, 0x3B)
        guard bytes.contains(where: { $0 == carriageReturn || ($0 == ampersand && !isRaw) }) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            if byte == carriageReturn {
                if position == bytes.endIndex || bytes[position] != lineFeed { result.append(lineFeed) }
            } else if byte == ampersand, !isRaw {
                // The longest reference is "&#x10FFFF;", zeros may stand before it.
                let rest = bytes[position..<min(bytes.endIndex, position + 20)]
                guard let end = rest.firstIndex(of: semicolon) else { throw XMLScanner.Malformed() }
                let reference = String(decoding: bytes[position..<end], as: UTF8.self)
                guard let scalar = scalar(reference) else { throw XMLScanner.Malformed() }
                result.append(contentsOf: String(Character(scalar)).utf8)
                position = end + 1
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
