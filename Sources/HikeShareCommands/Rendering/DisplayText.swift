/// Text that a terminal may see.
///
/// Literals are ours and stay as they are; every `String` that is put into one is escaped. There is no other way in, so
/// text of a peer or a file cannot reach a terminal as it came.
struct DisplayText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text, safe to print.
    private(set) var string: String

    init(stringLiteral value: String) {
        string = value
    }

    init(stringInterpolation: Interpolation) {
        string = stringInterpolation.string
    }

    /// Escapes a text that came from anywhere.
    init(escaping text: String) {
        string = TerminalEscape.escape(text)
    }

    /// A name that somebody else chose, in quotation marks that it cannot end, so that it cannot look like a part of what is
    /// said about it: on one line, with one space where there is any, and cut to a width.
    init(quoting name: String, width: Int = 40) {
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

    /// The pieces of an interpolated literal.
    struct Interpolation: StringInterpolationProtocol {
        fileprivate var string = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            string.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) {
            string += literal
        }

        mutating func appendInterpolation(_ text: DisplayText) {
            string += text.string
        }

        mutating func appendInterpolation(_ text: String) {
            string += TerminalEscape.escape(text)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) {
            string += String(number)
        }
    }
}

extension DisplayText {
    var isEmpty: Bool { string.isEmpty }

    /// How many columns the text takes.
    var width: Int {
        let bytes = string.utf8
        // Nearly all text: no need to look up what Unicode says of each letter.
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return bytes.count }
        return string.reduce(0) { $0 + DisplayWidth.of($1) }
    }

    static func + (left: DisplayText, right: DisplayText) -> DisplayText {
        "\(left)\(right)"
    }

    static func += (left: inout DisplayText, right: DisplayText) {
        left.string += right.string
    }

    /// The text with spaces after it, or before it, up to a width.
    func padded(to width: Int, leading: Bool = false) -> DisplayText {
        let spaces = DisplayText(escaping: String(repeating: " ", count: max(0, width - self.width)))
        return leading ? spaces + self : self + spaces
    }

    /// The text cut to a width, with an ellipsis if anything is missing.
    func truncated(to width: Int) -> DisplayText {
        guard self.width > width else { return self }
        var left = max(0, width - 1)
        let kept = string.prefix { character in
            left -= DisplayWidth.of(character)
            return left >= 0
        }
        var copy = self
        copy.string = width > 0 ? kept + "…" : ""
        return copy
    }
}

extension Sequence<DisplayText> {
    func joined(separator: DisplayText) -> DisplayText {
        var result: DisplayText = ""
        for (index, text) in enumerated() {
            if index > 0 { result += separator }
            result += text
        }
        return result
    }
}
