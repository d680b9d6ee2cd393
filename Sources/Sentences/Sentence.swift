/// A sentence for a person, which is said in English or in another language when it is shown.
///
/// It is written in English, with places for what is known when the program runs:
///
/// ```swift
/// let sentence: Sentence = "The laptop has \(3, "file") now."
/// sentence.english                // The laptop has 3 files now.
/// sentence.words(in: german)      // Der Laptop hat jetzt 3 Dateien.
/// ```
///
/// A sentence without a translation stays English. Texts of people and files are only values: they never choose a sentence.
package struct Sentence: Sendable, Codable {
    /// What stands in a place of a sentence.
    package enum Value: Sendable, Codable {
        case text(String)
        case number(Int)
        /// A number with `places` digits after the decimal mark.
        case decimal(Double, places: Int)
        /// A number of things, whose English noun has an `s` in the plural.
        case counted(Int, noun: String)
        indirect case sentence(Sentence)
    }

    /// The English words before, between and after the places.
    package let pieces: [String]
    package let values: [Value]

    init(_ pieces: [String], _ values: [Value]) { (self.pieces, self.values) = (pieces, values) }

    /// Creates a sentence that is known only when the program runs; it is translated if it is one of those of the catalogue.
    package init(known text: String) { self.init([text], []) }

    /// Creates what is never translated, such as a name.
    package init(verbatim text: String) { self.init(["", ""], [.text(text)]) }

    /// The name of the sentence in catalogues.
    ///
    /// For example: `The laptop has {# file} now.`
    var key: String { joined { if case .counted(_, let noun) = $0 { "{# \(noun)}" } else { "{}" } } }

    /// The sentence in English.
    package var english: String { words(in: .english) }

    /// Returns the sentence in a language, or in English if there is no translation.
    package func words(in language: Language) -> String {
        let number = values.lazy.compactMap { if case .counted(let number, _) = $0 { number } else { nil } }.first
        guard let pattern = language.pattern(for: key, number: number) else { return joined { $0.words(in: language) } }
        let counted = values.firstIndex { if case .counted = $0 { true } else { false } }
        return pattern.pieces.reduce(into: "") { text, piece in
            switch piece {
            case .words(let words): text += words
            // The words around the first number of things agree with it.
            case .place(let index) where index == counted: text += number.map(String.init) ?? ""
            case .place(let index): text += values.indices.contains(index) ? values[index].words(in: language) : ""
            }
        }
    }

    private func joined(_ words: (Value) -> String) -> String {
        zip(values, pieces.dropFirst()).reduce(pieces.first ?? "") { $0 + words($1.0) + $1.1 }
    }
}

extension Sentence.Value {
    /// Returns what stands in the place.
    package func words(in language: Language) -> String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .decimal(let value, let places): language.decimal(value, places: places)
        case .counted(let number, let noun):
            language == .english
                ? "\(number) \(noun)\(number == 1 ? "" : "s")" : Sentence(["", ""], [self]).counted(in: language)
        case .sentence(let sentence): sentence.words(in: language)
        }
    }
}

extension Sentence {
    /// Returns the words of a single number of things.
    fileprivate func counted(in language: Language) -> String {
        guard case .counted(let number, let noun)? = values.first else { return "" }
        guard language.pattern(for: key, number: number) != nil else {
            return Sentence(["", ""], [.counted(number, noun: noun)]).english
        }
        return words(in: language)
    }
}

/// Sentences are alike if they say the same in English.
extension Sentence: Hashable {
    package static func == (one: Sentence, other: Sentence) -> Bool { one.english == other.english }
    package func hash(into hasher: inout Hasher) { hasher.combine(english) }
}

extension Sentence: CustomStringConvertible {
    package var description: String { english }
}
