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

    /// Returns the mark within a part of the text; nil if nothing of it, or only a part of a table, is left.
    package func clipped(to part: Range<Int>) -> TextMark? {
        let common = range.clamped(to: part)
        guard !common.isEmpty else { return nil }
        if case .table = kind, common != range { return nil }
        return TextMark(range: common, kind: kind).shifted(by: -part.lowerBound)
    }
}
