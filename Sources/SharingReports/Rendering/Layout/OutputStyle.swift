/// How text for people is written to a file, a pipe or a terminal.
package struct OutputStyle: Hashable, Sendable {
    /// The text as it is, for files and pipes.
    package static let plain = OutputStyle(width: nil, hasColor: false)

    /// The maximum width of lines; nil if lines are not broken.
    package var width: Int?
    /// Whether styles are shown.
    package var hasColor: Bool

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
    package func render(line: DisplayText) -> String { hasColor ? line.stringWithStyles : line.string }
}
