package import Sentences

/// Text that is safe to print in a terminal.
///
/// Literals are part of the program and are not changed. Every `String` that is interpolated is escaped. There is no other
/// way to create a text, so that text of a peer or a file never reaches a terminal unescaped.
///
/// Parts of a text may have a style:
///
///     let text: DisplayText = "To see it:  \("hikeshare show \(id)", .command)"
///
/// A literal is a ``Sentence``, or one in each line: it is said in the language that the program shows. What stands in its places keeps its
/// style, wherever the language has them.
package struct DisplayText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text without styles.
    package fileprivate(set) var string: String
    /// The styles and tables of the text.
    package fileprivate(set) var marks: [TextMark] = []

    /// The text in English; nil if it is the same.
    private var original: String?

    package init(stringLiteral value: String) {
        guard let language = Language.shownTranslation else {
            string = value
            return
        }
        self = LiteralWords([value], [], in: language).text
    }

    package init(stringInterpolation parts: Interpolation) { self = parts.words?.text ?? parts.text }

    /// Says words of the program in English and in another language.
    init(words: String, english: String) {
        string = words
        if words != english { original = english }
    }

    /// The text without styles in English, for programs and logs.
    package var english: String { original ?? string }

    /// Returns the text with other English words.
    func saying(inEnglish words: String) -> DisplayText {
        var copy = self
        copy.original = words == string ? nil : words
        return copy
    }

    /// Says a sentence in the language that the program shows, and escapes what stands in its places.
    package init(_ sentence: Sentence) {
        self.init(
            words: TerminalEscape.escape(sentence.words(in: .shown)),
            english: TerminalEscape.escape(sentence.english)
        )
    }

    /// Escapes text from any source.
    package init(escaping text: String) { string = TerminalEscape.escape(text) }

    /// Puts a name that someone else chose between quotation marks.
    ///
    /// The name cannot end the quotation, so it cannot pass for words of the program. It is on one line, with single spaces,
    /// and is truncated to a width.
    package init(quoting name: String, width: Int = 40) {
        var unquoted = String.UnicodeScalarView()
        for scalar in name.split(whereSeparator: \.isWhitespace).joined(separator: " ").unicodeScalars
        where !scalar.properties.isVariationSelector {
            unquoted.append(Self.looksLikeQuotationMark(scalar) ? "'" : scalar)
        }
        self = "“\(DisplayText(escaping: String(unquoted)).truncated(to: width))”"
    }

    private static func looksLikeQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        // The last ones are ornaments and primes, which look the same.
        scalar.properties.isQuotationMark || "❛❜❝❞❟❠″‴‶〃ˮʺ״˝\u{1F676}\u{1F677}\u{1F678}".unicodeScalars.contains(scalar)
    }

    /// The parts of an interpolated literal.
    package struct Interpolation: StringInterpolationProtocol {
        /// The text, if it is in English.
        fileprivate var text = DisplayText(words: "", english: "")
        /// What is said in another language; nil in English, which needs no look-up.
        fileprivate var words: LiteralWords?

        package init(literalCapacity: Int, interpolationCount: Int) {
            words = Language.shownTranslation.map { LiteralWords([""], [], in: $0) }
            guard words == nil else { return }
            text.string.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            if words == nil { text.string += literal } else { words?.append(literal) }
        }

        package mutating func appendInterpolation(_ other: DisplayText) {
            if words == nil { text += other } else { words?.append(.text(other)) }
        }

        package mutating func appendInterpolation(_ other: DisplayText, _ style: TextStyle) {
            appendInterpolation(other.styled(style))
        }

        package mutating func appendInterpolation(_ other: String) {
            appendInterpolation(DisplayText(escaping: other))
        }

        package mutating func appendInterpolation(_ other: String, _ style: TextStyle) {
            appendInterpolation(DisplayText(escaping: other).styled(style))
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            appendInterpolation(DisplayText(escaping: String(number)))
        }

        package mutating func appendInterpolation(_ sentence: Sentence) {
            appendInterpolation(DisplayText(sentence))
        }

        /// Adds a number of things.
        ///
        /// - Parameter noun: The English word for one of them, a literal.
        package mutating func appendInterpolation(_ number: some BinaryInteger, _ noun: StaticString) {
            let (number, noun) = (Int(clamping: number), noun.description)
            guard words == nil else {
                words?.append(.counted(number, noun: noun))
                return
            }
            text.string += Wording.count(number, noun)
        }
    }
}

extension DisplayText {
    package var isEmpty: Bool { string.isEmpty }

    /// The number of columns of a text without line feeds.
    package var width: Int {
        let bytes = string.utf8
        // Nearly all text is ASCII, which needs no look-up of Unicode properties.
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return bytes.count }
        return string.reduce(0) { $0 + DisplayWidth.of($1) }
    }

    package static func + (left: DisplayText, right: DisplayText) -> DisplayText {
        var sum = left
        sum += right
        return sum
    }

    package static func += (left: inout DisplayText, right: DisplayText) {
        let offset = left.string.utf8.count
        if left.original != nil || right.original != nil { left.original = left.english + right.english }
        left.string += right.string
        left.marks += right.marks.map { $0.shifted(by: offset) }
    }

    /// Returns a number of spaces.
    package static func spaces(_ count: Int) -> DisplayText {
        DisplayText(escaping: String(repeating: " ", count: max(0, count)))
    }

    /// Returns the text with spaces after it, or before it, up to a width.
    package func padded(to width: Int, leading: Bool = false) -> DisplayText {
        let spaces = DisplayText.spaces(width - self.width)
        return leading ? spaces + self : self + spaces
    }

    /// Returns the text truncated to a width, with an ellipsis if anything is missing.
    package func truncated(to width: Int) -> DisplayText {
        guard self.width > width else { return self }
        guard width > 0 else { return "" }
        var left = width - 1
        let kept = string.prefix { character in
            left -= DisplayWidth.of(character)
            return left >= 0
        }
        return slice(0..<kept.utf8.count) + "…"
    }

    package func styled(_ style: TextStyle) -> DisplayText { marked(.style(style)) }

    /// Returns the text with a mark for the whole of it.
    package func marked(_ kind: TextMark.Kind) -> DisplayText {
        guard !isEmpty else { return self }
        var copy = self
        copy.marks.append(TextMark(range: 0..<string.utf8.count, kind: kind))
        return copy
    }

    /// Returns a part of the text, given as a range of its UTF-8 bytes.
    package func slice(_ range: Range<Int>) -> DisplayText {
        let bytes = string.utf8
        func index(_ offset: Int) -> String.Index {
            bytes.index(bytes.startIndex, offsetBy: offset, limitedBy: bytes.endIndex) ?? bytes.endIndex
        }
        let words = String(string[index(range.lowerBound)..<index(range.upperBound)])
        var part = DisplayText(words: words, english: words)
        part.marks = marks.compactMap { $0.clipped(to: range) }
        return part
    }

    /// The parts between line feeds, as ranges of UTF-8 bytes.
    package var paragraphs: [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (offset, byte) in string.utf8.enumerated() where byte == UInt8(ascii: "\n") {
            ranges.append(start..<offset)
            start = offset + 1
        }
        return ranges + [start..<string.utf8.count]
    }

    /// The text with the escape sequences of its styles.
    package var stringWithStyles: String {
        let styled = marks.compactMap { mark -> (range: Range<Int>, style: TextStyle)? in
            if case .style(let style) = mark.kind { (mark.range, style) } else { nil }
        }
        var result = ""
        var position = 0
        // A style inside another one is not shown.
        for (range, style) in styled.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
        where range.lowerBound >= position {
            result += slice(position..<range.lowerBound).string
            result += "\u{1B}[\(style.rawValue)m\(slice(range).string)\u{1B}[0m"
            position = range.upperBound
        }
        return result + slice(position..<string.utf8.count).string
    }
}

extension Sequence<DisplayText> {
    package func joined(separator: DisplayText) -> DisplayText {
        var result: DisplayText = ""
        for (index, text) in enumerated() {
            if index > 0 { result += separator }
            result += text
        }
        return result
    }
}
