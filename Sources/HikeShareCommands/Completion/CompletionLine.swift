import SharingReports

/// A command line that is being completed: the words as they were typed, with quotes and backslashes.
struct CompletionLine {
    private let words: [String]
    private let home: String?

    init(_ words: [String], home: String? = nil) {
        self.words = words
        self.home = home
    }

    /// The folder that `--store` names; nil if the option is missing.
    var store: String? { value(of: "--store").flatMap { path($0) } }

    /// What the line names a region with: the value of `--region`, or else the words between the command and its options.
    var region: String? {
        if let value = value(of: "--region") { return Self.unquoted(value) }
        guard let command = words.firstIndex(where: Self.commandsWithRegion.contains) else { return nil }
        let name = words[(command + 1)...].prefix { !$0.hasPrefix("-") }.map { Self.unquoted($0[...]) }
        return name.isEmpty ? nil : name.joined(separator: " ")
    }

    /// The commands that have a region as their first argument, and options for its items.
    private static let commandsWithRegion: Set<String> = ["plan", "send", "rename", "remove"]

    private func value(of option: String) -> Substring? {
        for (index, word) in words.enumerated().reversed() {
            if word.hasPrefix(option + "="), word != option + "=" { return word.dropFirst(option.count + 1) }
            guard word == option || word == option + "=" else { continue }
            // Bash makes three words of --store=DIR.
            let next = index + 1 < words.count && words[index + 1] == "=" ? index + 2 : index + 1
            return next < words.count ? words[next][...] : nil
        }
        return nil
    }

    /// The word at an index without quotes and backslashes; nil if there is none.
    func word(at index: Int) -> String? {
        words.indices.contains(index) ? Self.unquoted(words[index][...]) : nil
    }

    /// Returns the path that a shell makes of a word.
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
