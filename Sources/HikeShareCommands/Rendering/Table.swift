/// Columns of text.
enum Table {
    /// Lines up cells in columns, two spaces apart; no line has spaces at its end.
    ///
    /// Columns named in `trailing` are aligned on the right.
    static func render(_ rows: [[DisplayText]], trailing: Set<Int> = []) -> DisplayText {
        let rows = rows.map { row in Array(row.prefix((row.lastIndex { !$0.isEmpty } ?? -1) + 1)) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
        return
            rows.map { row in
                row.enumerated().map { column, cell in
                    let isLast = column == row.count - 1
                    return trailing.contains(column)
                        ? cell.padded(to: widths[column], leading: true)
                        : isLast ? cell : cell.padded(to: widths[column])
                }.joined(separator: "  ")
            }
            .joined(separator: "\n")
    }
}
