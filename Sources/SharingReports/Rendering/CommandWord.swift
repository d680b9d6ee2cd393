/// The name of a region in a command that a person can copy.
package enum CommandWord {
    /// Returns the name, between quotation marks if a shell needs them, or the start of the id if none make it safe.
    package static func of(_ name: String, orElse id: String) -> String {
        guard isPlain(name) else { return id }
        // Region names of several words need no quotation marks, unless a word looks like an option.
        let isBare = !["'", "’", "(", ")", "&", "  ", " -"].contains { name.contains($0) }
        return isBare ? name : "\"\(name)\""
    }

    /// Returns whether a name means itself in every shell and cannot be taken for an option.
    package static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return false }
        return isOfWord(first) && last != " " && name.unicodeScalars.allSatisfy { isOfWord($0) || marks.contains($0) }
    }

    private static let marks = Set(" '’.,-_()&+".unicodeScalars)

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// A path as one word of a shell.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !isPlain || path.isEmpty else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
