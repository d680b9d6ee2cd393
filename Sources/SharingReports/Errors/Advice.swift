package import Sentences

/// What a person can do or check: the same for every face of the program, or other words for the window.
package struct Advice<Words: Hashable & Sendable & ExpressibleByStringInterpolation>: Hashable, Sendable
where Words.StringLiteralType == String {
    /// The words in a terminal, which may name commands and options, and in JSON.
    package var typed: Words
    /// The words in the window; nil if nothing of it helps there.
    package var window: Words?

    /// Creates advice for every face.
    package init(_ words: Words) { (typed, window) = (words, words) }

    private init(typed: Words, window: Words?) { (self.typed, self.window) = (typed, window) }

    /// Returns advice that names commands or options, with other words for the window; nil for none there.
    package static func typed(_ words: Words, window: Words?) -> Advice { Advice(typed: words, window: window) }
}

extension Advice: ExpressibleByStringInterpolation {
    package init(stringLiteral words: String) { self.init(Words(stringLiteral: words)) }
    package init(stringInterpolation words: Words.StringInterpolation) { self.init(Words(stringInterpolation: words)) }
}

/// What a person can do about a problem.
package typealias Remedy = Advice<Sentence>

extension Remedy {
    /// Creates a remedy of a library, which knows no languages; it is translated if it is one of the sentences of the catalogue.
    package init(known words: String) { self.init(Sentence(known: words)) }
}

/// Something that a person can check, in one item of a list.
package typealias Hint = Advice<DisplayText>
