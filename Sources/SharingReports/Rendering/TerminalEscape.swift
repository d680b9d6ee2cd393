/// Escapes characters that control a terminal, and characters that deceive people because they are invisible or change the
/// writing direction.
package enum TerminalEscape {
    /// Replaces every dangerous character with `\u{…}`.
    package static func escape(_ text: String) -> String { rewrite(text) { "\\u{\(hex($0.value))}" } }

    /// Replaces every dangerous character of a JSON text with an escape sequence of JSON.
    ///
    /// Such characters are only inside strings, so the meaning of the text does not change.
    package static func escapeJSON(_ text: String) -> String {
        rewrite(text) { scalar in
            UTF16.encode(scalar)?.map { "\\u" + padded(hex(UInt32($0))) }.joined() ?? ""
        }
    }

    private static func rewrite(_ text: String, _ replacement: (Unicode.Scalar) -> String) -> String {
        guard text.unicodeScalars.contains(where: isSuspicious) else { return text }
        var result = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if !isSuspicious(scalar) || joinsEmoji(scalars, index) {
                result.append(scalar)
            } else {
                result.append(contentsOf: replacement(scalar).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Returns whether a character is dangerous: controls (C0, DEL, C1), line separators, invisible characters such as
    /// bidirectional controls, zero-width characters and tags, and unassigned or private characters.
    private static func isSuspicious(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint && !isVariationSelector(scalar)
        }
    }

    /// Returns whether a character joins two emoji into one, such as a family, which is harmless.
    private static func joinsEmoji(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard scalars[index] == "\u{200D}", index > 0, index + 1 < scalars.count else { return false }
        let before = scalars[index - 1]
        return (isPictographic(before) || before == "\u{FE0F}") && isPictographic(scalars[index + 1])
    }

    private static func isPictographic(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.isEmoji
    }

    private static func isVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFE0E || scalar.value == 0xFE0F
    }

    private static func hex(_ value: UInt32) -> String { String(value, radix: 16) }

    private static func padded(_ digits: String) -> String {
        String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
