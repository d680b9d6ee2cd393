import PeerProtocol

/// A safe file name, made from a name that another machine has sent.
///
/// The name is one component of a path, and all of its characters are visible. Memory cards can store it too: characters that
/// their file systems forbid are replaced.
struct SafeFileName: Hashable, Sendable {
    /// The maximum length of a name with its number, in bytes of UTF-8.
    static let maximumLength = 200

    /// The name of a file whose offered name has no character that a file name may have.
    private static let placeholder = "Unnamed"

    /// The maximum length of an extension, in bytes of UTF-8; longer text after the last dot is not an extension.
    private static let maximumExtensionLength = 20

    private let stem: String
    private let suffix: String

    /// The name without a number.
    var text: String { numbered(1) }

    init(_ offered: String) {
        let name = Self.trimmed(String.UnicodeScalarView(offered.unicodeScalars.compactMap(Self.replacement)))
        guard let dot = name.lastIndex(of: "."), Self.isExtension(name[name.index(after: dot)...]) else {
            (stem, suffix) = (String(name), "")
            return
        }
        (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
    }

    /// Returns the name with a number before the extension; without one for 1.
    func numbered(_ number: Int) -> String {
        let ending = (number == 1 ? "" : " (\(number))") + suffix
        return Self.shortened(stem, to: Self.maximumLength - ending.utf8.count) + ending
    }

    private static func shortened(_ stem: String, to maximum: Int) -> String {
        var short = stem.prefix(utf8Count: maximum)
        if short.isEmpty {
            // A single character can consist of any number of marks, so it is cut between scalars.
            var count = 0
            short = String(
                String.UnicodeScalarView(
                    stem.unicodeScalars.prefix { scalar in
                        count += UTF8.width(scalar)
                        return count <= maximum
                    }
                )
            )
        }
        short = String(trimmed(short.unicodeScalars))
        return short.isEmpty ? placeholder : short
    }

    /// Returns the replacement of a character in a file name; nil if the character is left out.
    private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar {
        case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": return "-"
        // Words of some languages and emoji need these characters.
        case "\u{200C}", "\u{200D}", "\u{FE00}"..."\u{FE0F}": return scalar
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return scalar.properties.isWhitespace ? " " : nil
        // The marks that change the direction of text are among these.
        case .format: return nil
        default: return scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
        }
    }

    /// Removes dots, dashes and spaces from the start, and dots and spaces from the end.
    ///
    /// A dot would hide the file, and a dash would make its name look like an option to commands. FAT has no names that end
    /// with a dot.
    private static func trimmed(_ name: String.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var name = name[...]
        while let first = name.first, first == "." || first == "-" || !isSeen(first) { name.removeFirst() }
        while let last = name.last, last == "." || last.properties.isWhitespace { name.removeLast() }
        return name
    }

    private static func isExtension(_ text: Substring.UnicodeScalarView) -> Bool {
        !text.isEmpty && text.reduce(0) { $0 + UTF8.width($1) } <= maximumExtensionLength
            && text.allSatisfy(isSeen)
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
    }
}
