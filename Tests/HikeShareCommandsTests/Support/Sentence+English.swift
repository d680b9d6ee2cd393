import Sentences

/// What a sentence says in English, so that tests read it like a text.
extension Sentence {
    var isEmpty: Bool { english.isEmpty }

    func contains(_ words: String) -> Bool { english.contains(words) }

    func hasPrefix(_ words: String) -> Bool { english.hasPrefix(words) }
}
