/// The limits on what one page shows, so that a browser can show it.
enum MapLimits {
    /// The maximum number of lines.
    static let lines = 500
    /// The maximum number of points of one line.
    static let pointsOfLine = 10_000
    /// The maximum number of points of all lines together.
    static let points = 200_000
    /// The maximum number of waypoints.
    static let waypoints = 5_000
    /// The maximum length of a name, in Unicode scalars.
    static let name = 300
    /// The maximum length of a comment or note, in Unicode scalars.
    static let text = 2_000

    /// Shortens a text; an ellipsis says so.
    static func shorten(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    }
}
