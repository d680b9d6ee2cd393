/// One form of a translation: words, and the places of values, in the order of the language.
///
/// In a table, a place is the byte 1 and a digit, and a zero byte is between the forms of the plural.
package struct Pattern {
    package enum Piece: Hashable {
        case words(String)
        case place(Int)
    }

    static let formMark: Character = "\0"
    private static let placeMark: Character = "\u{1}"
    package let pieces: [Piece]

    init(_ text: some StringProtocol) {
        var pieces: [Piece] = []
        for (index, part) in text.split(separator: Self.placeMark, omittingEmptySubsequences: false).enumerated() {
            var words = part[...]
            if index > 0, let place = words.popFirst()?.wholeNumberValue { pieces.append(.place(place)) }
            if !words.isEmpty { pieces.append(.words(String(words))) }
        }
        self.pieces = pieces
    }
}
