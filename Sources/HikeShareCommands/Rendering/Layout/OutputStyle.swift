/// How text for people is written to a file, a pipe or a terminal.
struct OutputStyle: Hashable, Sendable {
    /// The text as it is, for files and pipes.
    static let plain = OutputStyle(width: nil, hasColor: false)

    /// The maximum width of lines; nil if lines are not broken.
    var width: Int?

    /// Whether styles are shown.
    var hasColor: Bool

    /// Returns the text as it is written.
    func render(_ text: DisplayText) -> String {
        lines(of: text).map { render(line: $0) }.joined(separator: "\n")
    }

    /// Returns the lines in which a text is written.
    func lines(of text: DisplayText) -> [DisplayText] {
        width.map { TextLayout(width: $0).lines(of: text) } ?? [text]
    }

    /// Returns one line as it is written.
    func render(line: DisplayText) -> String {
        hasColor ? line.stringWithStyles : line.string
    }
}
