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
}
