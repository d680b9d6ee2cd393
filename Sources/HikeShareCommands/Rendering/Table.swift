/// Columns of text.
enum Table {
    /// Lines up cells in columns, two spaces apart; no line has spaces at its end.
    ///
    /// A terminal that is too narrow shows the table in another arrangement.
    ///
    /// - Parameters:
    ///   - rows: The cells.
    ///   - trailing: The columns that are aligned on the right.
    ///   - maximumWidth: The greatest width of a column. A wider cell is not cut, and only its own row is out of line.
    /// - Returns: The table.
    static func render(
        _ rows: [[DisplayText]],
        trailing: Set<Int> = [],
        maximumWidth: Int = .max
    ) -> DisplayText {
        render(TextTable(rows, trailing: trailing, maximumWidth: maximumWidth))
    }

    /// Lines up the cells of a table, or of a piece of it.
    static func render(_ table: TextTable) -> DisplayText {
        table.lines.joined(separator: "\n").marked(.table(table))
    }
}
