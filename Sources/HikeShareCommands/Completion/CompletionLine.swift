/// A command line that is being completed: the words as they were typed, with quotes and backslashes.
struct CompletionLine {
    private let words: [String]
    private let home: String?

    init(_ words: [String], home: String? = nil) {
        self.words = words
        self.home = home
    }

    /// The folder that `--store` names; nil if the option is missing.
    var store: String? {
        for (index, word) in words.enumerated().reversed() {
            if word.hasPrefix("--store="), word != "--store=" { return path(word.dropFirst("--store=".count)) }
            guard word == "--store" || word == "--store=" else { continue }
            // Bash makes three words of --store=DIR.
            let next = index + 1 < words.count && words[index + 1] == "=" ? index + 2 : index + 1
            return next < words.count ? path(words[next][...]) : nil
        }
        return nil
    }

    /// The word at an index without quotes and backslashes; nil if there is none.
    func word(at index: Int) -> String? {
        words.indices.contains(index) ? Self.unquoted(words[index][...]) : nil
    }

    private func path(_ word: Substring) -> String? {
        guard !word.isEmpty else { return nil }
        guard let home, word == "~" || word.hasPrefix("~/") else { return Self.unquoted(word) }
        return home + Self.unquoted(word.dropFirst())
    }

    /// Removes the quotes and backslashes of a word, as a shell does.
    private static func unquoted(_ word: Substring) -> String {
        var result = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                result.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                result.append(character)
            }
        }
        return result
    }
}
