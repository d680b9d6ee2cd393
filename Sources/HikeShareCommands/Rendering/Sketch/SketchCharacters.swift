/// The characters of a sketch.
enum SketchCharacters: Hashable, Sendable {
    /// Patterns of 2 × 4 dots (Unicode, "Braille Patterns").
    case braille
    /// One character for each dot.
    case ascii

    /// Chooses the characters that a terminal can show.
    ///
    /// The font of the Linux console has no patterns of dots.
    static func current(_ environment: [String: String]) -> SketchCharacters {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        let isSimple = ["", "dumb", "linux"].contains(environment["TERM", default: ""])
        return encoding.contains("utf8") && !isSimple ? .braille : .ascii
    }

    /// The number of dots of a character.
    var dots: (columns: Int, rows: Int) {
        switch self {
        case .braille: (2, 4)
        case .ascii: (1, 1)
        }
    }

    /// The edges of the frame: horizontal, vertical, and the corners from the upper left one clockwise.
    var frame: (horizontal: Character, vertical: Character, corners: [String]) {
        switch self {
        case .braille: ("─", "│", ["┌", "┐", "┘", "└"])
        case .ascii: ("-", "|", ["+", "+", "+", "+"])
        }
    }

    /// The lines in the legend.
    var legend: (hikes: DisplayText, plannedRoutes: DisplayText) {
        switch self {
        case .braille: ("──", "··")
        case .ascii: ("**", "..")
        }
    }

    /// Only every so many dots of a planned route are set, so that it differs from a hike without colours, too.
    var dotDistance: Int {
        switch self {
        case .braille: 3
        case .ascii: 1
        }
    }
}
