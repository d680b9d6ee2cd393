internal import Sentences

/// The words and places of a literal of the program, from which its translation is made.
///
/// Each line is a sentence of its own, without the spaces around it. A line without letters, such as indentation, is not looked up.
struct LiteralWords {
    enum Place {
        case text(DisplayText)
        /// A number of things, whose English noun has an `s` in the plural.
        case counted(Int, noun: String)
    }

    private var pieces: [String]
    private var places: [Place]
    private let language: Language

    init(_ pieces: [String], _ places: [Place], in language: Language) {
        (self.pieces, self.places, self.language) = (pieces, places, language)
    }

    mutating func append(_ literal: String) { pieces[pieces.count - 1] += literal }

    mutating func append(_ place: Place) {
        places.append(place)
        pieces.append("")
    }

    /// The literal in the language, with its places.
    var text: DisplayText {
        guard pieces.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) else { return line }
        return lines.map(\.line).joined(separator: Self.plain("\n"))
    }

    private var lines: [LiteralWords] {
        var lines = [LiteralWords([""], [], in: language)]
        for (index, piece) in pieces.enumerated() {
            if index > 0 { lines[lines.count - 1].append(places[index - 1]) }
            for (part, words) in piece.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if part > 0 { lines.append(LiteralWords([""], [], in: language)) }
                lines[lines.count - 1].append(String(words))
            }
        }
        return lines
    }

    /// The text of one line.
    private var line: DisplayText {
        var inner = pieces
        let before = inner[0].prefix { $0 == " " }
        inner[0].removeFirst(before.count)
        let after = inner[inner.count - 1].reversed().prefix { $0 == " " }.count
        inner[inner.count - 1].removeLast(after)
        guard inner.contains(where: { $0.contains(where: \.isLetter) }), let translated = translated(inner) else {
            return joined
        }
        return Self.plain(before) + translated + Self.plain(String(repeating: " ", count: after))
    }

    private func translated(_ pieces: [String]) -> DisplayText? {
        var number: (value: Int, place: Int)?
        for (index, place) in places.enumerated().reversed() {
            if case .counted(let value, _) = place { number = (value, index) }
        }
        let names = places.map { if case .counted(_, let noun) = $0 { "{# \(noun)}" } else { "{}" } }
        let key = zip(names, pieces.dropFirst()).reduce(pieces[0]) { $0 + $1.0 + $1.1 }
        guard let pattern = language.pattern(for: key, number: number?.value) else { return nil }
        var text = DisplayText(words: "", english: "")
        for piece in pattern.pieces {
            switch piece {
            case .words(let words): text += Self.plain(words)
            case .place(let index) where index == number?.place: text += Self.plain("\(number?.value ?? 0)")
            case .place(let index): if places.indices.contains(index) { text += self.text(of: places[index]) }
            }
        }
        return text.saying(inEnglish: english(pieces))
    }

    /// The English words, with what stands in the places in the language.
    private var joined: DisplayText {
        zip(places, pieces.dropFirst()).reduce(into: Self.plain(pieces[0])) { text, next in
            text += self.text(of: next.0)
            text += Self.plain(next.1)
        }
    }

    private func english(_ pieces: [String]) -> String {
        zip(places, pieces.dropFirst()).reduce(pieces[0]) { text, next in
            switch next.0 {
            case .text(let place): text + place.english + next.1
            case .counted(let number, let noun): text + Wording.count(number, noun) + next.1
            }
        }
    }

    private func text(of place: Place) -> DisplayText {
        switch place {
        case .text(let text): text
        case .counted(let number, let noun):
            DisplayText(
                words: Sentence.Value.counted(number, noun: noun).words(in: language),
                english: Wording.count(number, noun)
            )
        }
    }

    private static func plain(_ words: some StringProtocol) -> DisplayText {
        DisplayText(words: String(words), english: String(words))
    }
}
