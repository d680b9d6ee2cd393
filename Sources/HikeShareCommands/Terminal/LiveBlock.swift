import RegionSharing
import SharingReports

/// The lines at the bottom of a terminal that change: progress or a question.
///
/// The cursor is at the end of the last line.
struct LiveBlock: Hashable, Sendable {
    /// A line that takes the place of another one, with the characters before and after it, which leave the cursor where it is.
    struct Change: Hashable, Sendable {
        var before: String
        var line: DisplayText
        var after: String
    }

    /// The lines that are on the screen.
    private var lines: [DisplayText] = []

    /// Whether nothing is on the screen.
    var isEmpty: Bool { lines.isEmpty }

    /// Notes that lines were written.
    mutating func draw(_ lines: [DisplayText]) { self.lines = lines }

    /// Notes that the lines stay on the screen as they are, or are no longer there.
    mutating func forget() { lines = [] }

    /// Notes that the cursor has moved to the next line, as it does when a person presses Enter.
    mutating func endLine() { lines.append("") }

    /// Replaces the first of several lines, if the others stay as they are and each has one row, and notes it.
    ///
    /// - Returns: What to write; nil if everything must be written anew.
    mutating func changed(to new: [DisplayText], columns: Int) -> Change? {
        guard lines.count > 1, let first = new.first, new.dropFirst().elementsEqual(lines.dropFirst()),
            (lines + new).allSatisfy({ $0.width <= columns })
        else { return nil }
        lines = new
        let up = String(repeating: "\u{1B}[A", count: lines.count - 1)
        return Change(before: "\u{1B}7\r\(up)\u{1B}[K", line: first, after: "\u{1B}8")
    }

    /// Returns the characters that erase the lines.
    ///
    /// A line that is wider than the terminal takes several rows. Terminals rearrange lines when their width changes, so the
    /// present width counts.
    func erasure(columns: Int) -> String {
        let rows = lines.reduce(0) { $0 + max(1, ($1.width + columns - 1) / max(1, columns)) }
        guard rows > 0 else { return "" }
        return "\r\u{1B}[K" + String(repeating: "\u{1B}[A\u{1B}[K", count: rows - 1)
    }
}
