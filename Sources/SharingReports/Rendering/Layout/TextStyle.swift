/// The appearance of a part of a text, in a terminal that has colours.
package enum TextStyle: Hashable, Sendable {
    /// Something to look at first, such as the digits to compare.
    case strong
    /// A command to type; its words stay on one line.
    case command
    /// A danger or an error.
    case alarm
    /// A warning.
    case caution
    /// A recorded hike in a sketch.
    case hike
    /// A planned route in a sketch.
    case plannedRoute
    /// A QR code, whose lines are never broken.
    case code

    /// The parameters of the escape sequence that sets the style. (ECMA-48, "SGR".)
    package var parameters: String {
        switch self {
        case .strong: "1"
        case .command: "36"
        case .alarm: "1;31"
        case .caution: "33"
        case .hike: "32"
        case .plannedRoute: "35"
        // Of the palette of 256 colours, 16 is black and 231 is white. Themes change only the first sixteen.
        case .code: "38;5;16;48;5;231"
        }
    }
}

/// A property of a part of a text: its style, or the table from which it was made.
package struct TextMark: Hashable, Sendable {
    /// The property.
    package enum Kind: Hashable, Sendable {
        case style(TextStyle)
        /// The part can be arranged again for another width.
        case table(TextTable)
    }

    /// The part, as a range of the text's UTF-8 bytes.
    package var range: Range<Int>
    package var kind: Kind

    /// Returns the mark for a text that begins elsewhere.
    package func shifted(by offset: Int) -> TextMark {
        TextMark(range: (range.lowerBound + offset)..<(range.upperBound + offset), kind: kind)
    }

    /// Returns the mark within a part of the text; nil if nothing of it is left.
    ///
    /// A part of a table is no table.
    package func clipped(to part: Range<Int>) -> TextMark? {
        let common = range.clamped(to: part)
        guard !common.isEmpty else { return nil }
        if case .table = kind, common != range { return nil }
        return TextMark(range: common, kind: kind).shifted(by: -part.lowerBound)
    }
}

/// How text for people is written to a file, a pipe or a terminal.
package struct OutputStyle: Hashable, Sendable {
    /// The text as it is, for files and pipes.
    package static let plain = OutputStyle(width: nil, hasColor: false)

    /// The maximum width of lines; nil if lines are not broken.
    package var width: Int?

    /// Whether styles are shown.
    package var hasColor: Bool

    /// Creates the value.
    package init(width: Int? = nil, hasColor: Bool) {
        self.width = width
        self.hasColor = hasColor
    }

    /// Returns the text as it is written.
    package func render(_ text: DisplayText) -> String {
        lines(of: text).map { render(line: $0) }.joined(separator: "\n")
    }

    /// Returns the lines in which a text is written.
    package func lines(of text: DisplayText) -> [DisplayText] {
        width.map { TextLayout(width: $0).lines(of: text) } ?? [text]
    }

    /// Returns one line as it is written.
    package func render(line: DisplayText) -> String {
        hasColor ? line.stringWithStyles : line.string
    }
}
