/// Lays names out on a map so that none covers another or a mark.
struct LabelLayout {
    /// The maximum length of a name, in Unicode scalars.
    static let nameLength = 24
    /// The number of names beyond which the search for room takes too long.
    private static let maximumCount = 400
    private let marks: [PictureFrame.Box]
    private var names: [PictureFrame.Box] = []

    /// Keeps boxes free of names.
    init(besides marks: [PictureFrame.Box] = []) { self.marks = marks }

    /// Takes the room of a name; returns whether it was free of names and marks.
    mutating func take(_ box: PictureFrame.Box) -> Bool {
        guard names.count < Self.maximumCount, !names.contains(where: box.covers), !marks.contains(where: box.covers)
        else { return false }
        names.append(box)
        return true
    }

    /// Returns the width that a text may have in the fonts of any browser.
    static func width(of text: String, letters: Double) -> Double {
        letters * text.unicodeScalars.reduce(0) { $0 + share(of: $1) }
    }

    /// The width of a letter, for its height.
    private static func share(of scalar: Unicode.Scalar) -> Double {
        switch scalar {
        case "i", "j", "l", "I", " ", ".", ",", "'", ":", "|": 0.4
        case "m", "w", "M", "W", "@", "%", "…": 1
        case "A"..."Z", "0"..."9": 0.72
        // Of Korean, Chinese and Japanese, and what comes behind them.
        case "\u{1100}"...: 1.05
        default: 0.64
        }
    }
}
