import Glibc

/// Sketches are shown only in terminals, and only if the window has room for them.
extension Console {
    // The frame and the legend take three rows of these.
    private static let maximumRowsOfOffer = 11
    private static let maximumRowsOfResult = 13

    /// Returns the text above the question about an offer.
    ///
    /// Its sketch is so small that the whole offer and the question stay in the window.
    ///
    /// - Parameters:
    ///   - report: The offer.
    ///   - message: Text above the offer, which ends with a line feed.
    /// - Returns: The text.
    func introduction(of report: OfferReport, after message: DisplayText = "") -> DisplayText {
        var report = report
        guard screen.messages.isTerminal else { return message + report.introduction }
        let size = self.size
        let others =
            screen.style(of: STDERR_FILENO).lines(of: message + report.introduction)
            + lines(of: "\(report.question) [y/N] ", isQuestion: true)
        // A word that is wider than the window takes several rows.
        let taken = others.reduce(0) { $0 + max(1, ($1.width + size.columns - 1) / max(1, size.columns)) }
        let room = AreaSketch.Room(columns: size.columns, rows: min(Self.maximumRowsOfOffer, size.rows - taken))
        report.sketch = report.area.text(in: room, with: screen.characters) ?? ""
        return message + report.introduction
    }

    /// Returns a sketch for a result; empty if there is none.
    func text(of sketch: () throws -> AreaSketch) rethrows -> DisplayText {
        guard screen.results.isTerminal, format == .text else { return "" }
        let size = screen.measure(STDOUT_FILENO)
        let room = AreaSketch.Room(columns: size.columns, rows: min(Self.maximumRowsOfResult, size.rows - 1))
        return try sketch().text(in: room, with: screen.characters) ?? ""
    }
}
