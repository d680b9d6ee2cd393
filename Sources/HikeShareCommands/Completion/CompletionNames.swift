import ArgumentParser
import RegionStore

/// The words that a shell offers for names in the store.
///
/// Names may come from other machines, and shells interpret what they are offered. Bash even runs commands in it. So only
/// plain names are offered, and ids instead of all others.
struct CompletionNames {
    private static let idLength = 8

    private let entries: [StoreNames.Entry]

    init(_ entries: [StoreNames.Entry]) {
        self.entries = entries
    }

    /// Returns the words for a shell; nil for one that takes words as they are.
    func words(for shell: CompletionShell?) -> [String] {
        let counts = Dictionary(entries.map { ($0.name.lowercased(), 1) }, uniquingKeysWith: +)
        return entries.map { entry in
            guard Self.isPlain(entry.name), counts[entry.name.lowercased()] == 1 else {
                return String(entry.id.prefix(Self.idLength))
            }
            // The argument parser passes the words to Bash as they are, and Bash reads quotes in them.
            return shell == .bash ? Self.escapingApostrophes(entry.name) : entry.name
        }
    }

    /// Returns whether a name means itself in every shell and cannot be taken for an option.
    static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, let last = name.unicodeScalars.last else { return false }
        return isOfWord(first) && last != " " && name.unicodeScalars.allSatisfy { isOfWord($0) || marks.contains($0) }
    }

    private static func escapingApostrophes(_ name: String) -> String {
        name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
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
}
