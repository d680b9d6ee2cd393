/// The limits on what one page shows, so that a browser can show it.
package enum MapLimits {
    /// The maximum number of lines.
    static let lines = 500
    /// The maximum number of points of one line.
    static let pointsOfLine = 10_000
    /// The maximum number of points of all lines together.
    static let points = 200_000
    /// The maximum number of samples of all elevation profiles together.
    static let samples = 100_000
    /// The maximum number of waypoints.
    static let waypoints = 5_000
    /// The maximum number of waypoints on paper, where about 260 have room on each page of the legend.
    static let waypointsOnPaper = 20_000
    /// The maximum length of a name, in Unicode scalars.
    static let name = 300
    /// The maximum length of a comment or note, in Unicode scalars.
    static let text = 2_000
    /// The maximum length of all comments and notes together, in bytes.
    static let texts = 4_000_000

    /// Shortens a text; an ellipsis says so.
    static func shorten(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    }

    /// Returns a name as it is shown: short, and without characters that turn the writing around.
    package static func shownName(_ text: String) -> String { withoutTurns(shorten(text, to: name)) }

    /// Returns a text with characters that turn the writing around as their numbers.
    ///
    /// They would show another name: `gpx.exe` could look like `exe.gpx`.
    static func withoutTurns(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: turnsText) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if turnsText(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9).
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
    }
}
