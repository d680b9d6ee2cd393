internal import Sentences

/// A sentence in the data of a page, which its script says in the language of the page.
///
/// It is the English sentence if there are no places in it, and else an array: the English one with `{}` for each place, and what
/// belongs there. A sentence in a place is always an array: a text there is never translated.
struct PageSentence: Encodable {
    private let sentence: Sentence
    private let isInside: Bool

    init(_ sentence: Sentence) { self.init(sentence, isInside: false) }

    private init(_ sentence: Sentence, isInside: Bool) { (self.sentence, self.isInside) = (sentence, isInside) }

    func encode(to encoder: any Encoder) throws {
        guard isInside || !sentence.values.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(sentence.english)
        }
        var container = encoder.unkeyedContainer()
        try container.encode(sentence.pieces.joined(separator: "{}"))
        for value in sentence.values {
            switch value {
            case .number(let number): try container.encode(number)
            case .sentence(let inner): try container.encode(PageSentence(inner, isInside: true))
            case .text, .decimal, .counted: try container.encode(value.words(in: .english))
            }
        }
    }
}
