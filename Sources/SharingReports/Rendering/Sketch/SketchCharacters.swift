/// The characters of a sketch.
package struct SketchCharacters: Hashable, Sendable {
    /// The number of dots of a character.
    let dotColumns: Int
    let dotRows: Int
    /// The edges of the frame, and its corners from the upper left one clockwise.
    let horizontal: Character
    let vertical: Character
    let corners: [String]
    /// The lines in the legend.
    let hikes: DisplayText
    let plannedRoutes: DisplayText
    /// A place without tiles, and one whose tiles differ.
    let gap: Character
    let change: Character
    /// Only every so many dots of a planned route are set, so that it differs from a hike without colours, too.
    let dotDistance: Int

    /// Patterns of 2 × 4 dots (Unicode, "Braille Patterns").
    package static let braille = SketchCharacters(
        dotColumns: 2,
        dotRows: 4,
        horizontal: "─",
        vertical: "│",
        corners: ["┌", "┐", "┘", "└"],
        hikes: "──",
        plannedRoutes: "··",
        gap: "░",
        change: "▒",
        dotDistance: 3
    )

    /// One character for each dot.
    package static let ascii = SketchCharacters(
        dotColumns: 1,
        dotRows: 1,
        horizontal: "-",
        vertical: "|",
        corners: ["+", "+", "+", "+"],
        hikes: "**",
        plannedRoutes: "..",
        gap: ":",
        change: "%",
        dotDistance: 1
    )

    /// Chooses the characters that a terminal can show; the font of the Linux console has no patterns of dots.
    package static func current(_ environment: [String: String]) -> SketchCharacters {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        let isSimple = ["", "dumb", "linux"].contains(environment["TERM", default: ""])
        return encoding.contains("utf8") && !isSimple ? .braille : .ascii
    }

    /// Returns the character for the dots of a hike and of a planned route, as bits in the order of Unicode's patterns of dots.
    func line(_ hike: UInt16, _ route: UInt16) -> Character {
        guard self == .braille else { return hike != 0 ? "*" : route != 0 ? "." : " " }
        return hike | route == 0 ? " " : Unicode.Scalar(0x2800 + (hike | route)).map(Character.init) ?? " "
    }
}
