/// The arrangement of text in lines of limited width.
///
/// Lines are broken between words. A word that is wider than a line, such as a share link or a path, stays whole, so
/// that it can be copied; the terminal continues it on the next row. So does a command.
package struct TextLayout: Hashable, Sendable {
    /// The width below which lines are not made narrower.
    package static let leastWidth = 20

    /// The maximum number of columns of a line.
    package let width: Int

    package init(width: Int) { self.width = max(Self.leastWidth, width) }

    /// Returns the lines of a text.
    ///
    /// The continuation of a list item (`- `) or of a text after a label and two spaces is indented as the text is.
    /// Tables that are too wide are arranged again.
    package func lines(of text: DisplayText) -> [DisplayText] {
        let paragraphs = text.paragraphs
        var lines: [DisplayText] = []
        var position = 0
        for range in paragraphs where range.lowerBound >= position {
            if let mark = table(of: text, beginningWith: range, in: paragraphs), case .table(let table) = mark.kind {
                lines += table.lines(width: width)
                position = mark.range.upperBound + 1
            } else {
                lines += TextParagraph(text.slice(range)).lines(width: width)
            }
        }
        return lines
    }

    /// Returns the mark of the table whose first line is at `range`, if the table is too wide.
    private func table(of text: DisplayText, beginningWith range: Range<Int>, in paragraphs: [Range<Int>]) -> TextMark?
    {
        text.marks.first { mark in
            guard case .table = mark.kind, mark.range.lowerBound == range.lowerBound else { return false }
            let rows = paragraphs.filter { mark.range.contains($0.lowerBound) }
            return rows.last?.upperBound == mark.range.upperBound && rows.contains { text.slice($0).width > width }
        }
    }
}
