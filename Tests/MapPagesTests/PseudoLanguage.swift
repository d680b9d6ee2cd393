import Foundation
import Sentences
import Testing

/// A language that is written from right to left, with twice as many letters, for every sentence of the template.
///
/// What stays English on a page is a sentence that translators do not get.
enum PseudoLanguage {
    static func make() throws -> Language {
        let keys = try keys()
        return Language("he") { key in
            if key == "" { return String(repeating: "0", count: 200) }
            if key == "0.5" { return "0,5" }
            return keys.contains(key) ? pattern(of: key) : nil
        }
    }

    /// The English words of a text without those that stay: names of programs, formats and units.
    static func english(in text: String) -> [String] {
        text.matches(of: /[A-Za-z]{3,}/).map { String($0.output) }.filter { !["min"].contains($0) }
    }

    /// Returns the text of a page that people see.
    static func text(ofHTML page: String) -> String {
        let invisible = /<(style|script)\b.*?<\/\1>|<!--.*?-->/.dotMatchesNewlines()
        return page.replacing(invisible, with: " ").replacing(/<[^>]*>|&#?\w+;/, with: " ")
    }

    private static func pattern(of key: String) -> String {
        let letters = Array("אבגדהוזחטיכלמנסעפצקרשת")
        var (result, place, index) = ("", 0, 0)
        var rest = key[...]
        while let character = rest.popFirst() {
            if character == "{" {
                rest = rest.drop { $0 != "}" }.dropFirst()
                result += "\u{1}\(place)"
                place += 1
            } else if character.isLetter {
                index += 1
                result += String(repeating: letters[index % letters.count], count: 2)
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The keys of the template: names of places are not in them, and numbers of things have their noun.
    private static func keys() throws -> Set<String> {
        let path = "Sources/CTranslations/po/hikeshare.pot"
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let lines = try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
        func text(_ line: Substring, _ field: String) -> String? {
            guard line.hasPrefix(field + " \"") else { return nil }
            return String(line.dropFirst(field.count + 2).dropLast()).replacing("\\\"", with: "\"")
        }
        var keys: Set<String> = []
        for (line, next) in zip(lines, lines.dropFirst()) {
            guard var key = text(line, "msgid"), !key.isEmpty else { continue }
            if let plural = text(next, "msgid_plural") {
                let prefix = key.commonPrefix(with: plural)
                let noun = try #require(prefix.firstRange(of: "{n} ")).upperBound
                let words = prefix[noun...]
                key = key.replacing("{n} \(words)", with: "{# \(words)}", maxReplacements: 1)
            }
            keys.insert(key.replacing(/\{\w+\}/, with: "{}"))
        }
        return keys
    }
}
