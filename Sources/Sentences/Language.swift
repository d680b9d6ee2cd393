/// A language in which the program says its sentences.
package struct Language: Hashable, Sendable {
    /// The name of the language in HTML and HTTP, such as `de` (BCP 47).
    package let tag: String
    private let catalogue: Catalogue

    private init(_ tag: String, _ catalogue: Catalogue) { (self.tag, self.catalogue) = (tag, catalogue) }

    /// Creates a language for tests.
    ///
    /// - Parameter patterns: Returns the form of the translation of a key, in the form of a table.
    package init(_ tag: String, patterns: @escaping @Sendable (_ key: String) -> String?) {
        self.init(tag, .made(patterns))
    }

    /// The language in which all sentences are written.
    package static let english = Language("en", .none)

    /// All languages of the program; English is the first.
    package static let all: [Language] =
        [english] + Catalogue.embedded.map { Language($0.tag, .embedded($0.index)) }

    /// Returns the language with a tag; nil if the program does not have it.
    package static func named(_ tag: some StringProtocol) -> Language? { all.first { $0.tag == tag } }

    /// The name that the language has in itself.
    package var name: String {
        // Translators: The name of your language, in your language.
        Sentence("English").words(in: self)
    }

    /// Whether the language is written from right to left.
    package var isRightToLeft: Bool { ["ar", "fa", "he", "ur"].contains(tag) }

    /// Whether the terminal and the window can be said in the language: it has most of their sentences.
    package var hasTerminal: Bool { catalogue.hasTerminal }

    /// The sentences of the scripts of pages, a JSON object without any `<`; nil for English.
    package var scriptSentences: [UInt8]? { catalogue.scriptSentences }

    /// Returns a sentence in this language.
    package func callAsFunction(_ sentence: Sentence) -> String { sentence.words(in: self) }

    /// Returns a number with `places` digits after the decimal mark.
    package func decimal(_ value: Double, places: Int) -> String {
        let plain = Self.plainDecimal(value, places: places)
        // Translators: Half, as a number. Only its decimal mark is taken: 0,5.
        let mark = self == .english ? "." : String(Sentence("0.5").words(in: self).dropFirst().prefix(1))
        return mark == "." ? plain : String(plain.map { $0 == "." ? Character(mark) : $0 })
    }

    /// Returns a number with `places` digits after a point, for programs.
    package static func plainDecimal(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        let scale = (0..<places).reduce(Int64(1)) { scale, _ in scale * 10 }
        let scaled = Int64((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// Returns the translation of a key; nil if there is none.
    ///
    /// - Parameter number: The first number of things in the sentence.
    package func pattern(for key: String, number: Int?) -> Pattern? {
        if case .none = catalogue { return nil }
        guard let text = catalogue.text(for: key) else { return nil }
        let forms = text.split(separator: Pattern.formMark, omittingEmptySubsequences: false)
        guard let number, forms.count > 1 else { return Pattern(forms.first ?? "") }
        let form = catalogue.form(of: number)
        return Pattern(forms[forms.indices.contains(form) ? form : forms.count - 1])
    }

    package static func == (one: Language, other: Language) -> Bool { one.tag == other.tag }
    package func hash(into hasher: inout Hasher) { hasher.combine(tag) }
}
