/// The lines at the bottom of a terminal that change: progress or a question.
///
/// The cursor is at the end of the last line.
struct LiveBlock: Hashable, Sendable {
    /// The width of each line that is on the screen.
    private var widths: [Int] = []

    /// Whether nothing is on the screen.
    var isEmpty: Bool { widths.isEmpty }

    /// Notes that lines were written.
    mutating func draw(_ lines: [DisplayText]) {
        widths = lines.map(\.width)
    }

    /// Notes that the lines stay on the screen as they are, or are no longer there.
    mutating func forget() {
        widths = []
    }

    /// Returns the characters that erase the lines.
    ///
    /// A line that is wider than the terminal takes several rows. Terminals rearrange lines when their width changes, so the
    /// present width counts.
    func erasure(columns: Int) -> String {
        let rows = widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        guard rows > 0 else { return "" }
        return "\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: rows - 1)
    }
}
