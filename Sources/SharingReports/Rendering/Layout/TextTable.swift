/// Cells in rows and columns, which can be arranged for different widths.
package struct TextTable: Hashable, Sendable {
    /// The width that the last column needs for its text to be broken inside it.
    private static let leastLastColumn = 24

    /// The cells; no row ends with empty ones.
    package let rows: [[DisplayText]]
    /// The columns that are aligned on the right.
    package let trailing: Set<Int>
    /// The widths of the columns.
    private let widths: [Int]

    /// Lines up cells in columns, two spaces apart; no line has spaces at its end.
    ///
    /// A terminal that is too narrow shows the table in another arrangement.
    package static func render(_ rows: [[DisplayText]], trailing: Set<Int> = []) -> DisplayText {
        let table = TextTable(rows, trailing: trailing)
        return table.lines.joined(separator: "\n").marked(.table(table))
    }

    package init(_ rows: [[DisplayText]], trailing: Set<Int> = []) {
        let rows = rows.map(Self.withoutEmptyEnd)
        self.rows = rows
        self.trailing = trailing
        widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
            rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
        }
    }

    package static func withoutEmptyEnd(_ row: [DisplayText]) -> [DisplayText] {
        Array(row.prefix((row.lastIndex { !$0.isEmpty } ?? -1) + 1))
    }

    /// The rows as lines, with two spaces between columns.
    package var lines: [DisplayText] { rows.map { line(of: $0, last: $0.count - 1) } }

    /// Returns lines that are at most so wide, if no word is wider.
    ///
    /// If the columns have no room side by side, each row becomes a line with its first cell, and indented lines with the
    /// others.
    package func lines(width: Int) -> [DisplayText] {
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let room = width - before
        let last = widths.count - 1
        let longestWord =
            rows.filter { $0.count > last }.compactMap(\.last).map { TextParagraph($0).longestWord }.max() ?? 0
        guard room >= max(Self.leastLastColumn, longestWord), !trailing.contains(last) else {
            return cards(width: width)
        }
        return rows.flatMap { row -> [DisplayText] in
            guard row.count > last else { return [line(of: row, last: row.count - 1)] }
            let parts = TextLayout(width: room).lines(of: row[last])
            let head = line(of: Array(row.dropLast()) + [parts[0]], last: last)
            return [head] + parts.dropFirst().map { DisplayText.spaces(before) + $0 }
        }
    }

    private func line(of row: [DisplayText], last: Int) -> DisplayText {
        row.enumerated().map { column, cell in
            trailing.contains(column)
                ? cell.padded(to: widths[column], leading: true)
                : column == last ? cell : cell.padded(to: widths[column])
        }.joined(separator: "  ")
    }

    private func cards(width: Int) -> [DisplayText] {
        // Empty columns at the beginning are the indentation of the table.
        let empty = widths.prefix { $0 == 0 }.count
        return rows.flatMap { row -> [DisplayText] in
            let cells = row.dropFirst(empty)
            guard let first = cells.first else { return [""] }
            let (left, room) = (2 * empty, width - 2 * empty)
            if trailing.contains(empty) {
                // A number stays in front of what it counts.
                let before = widths[empty] + 2
                let lines = flow(cells.dropFirst().filter { !$0.isEmpty }, width: room - before)
                return lines.enumerated().map { index, line in
                    let start = index == 0 ? first.padded(to: widths[empty], leading: true) : ""
                    return DisplayText.spaces(left) + start.padded(to: before) + line
                }
            }
            let head = first.isEmpty ? [] : TextLayout(width: room).lines(of: first)
            let rest = flow(cells.dropFirst().filter { !$0.isEmpty }, width: room - 2)
            return (head + rest.map { DisplayText.spaces(2) + $0 }).map { DisplayText.spaces(left) + $0 }
        }
    }

    /// Puts as many cells on each line as there is room for.
    private func flow(_ cells: some Sequence<DisplayText>, width: Int) -> [DisplayText] {
        var lines: [DisplayText] = []
        for cell in cells {
            if let last = lines.last, last.width + 2 + cell.width <= width {
                lines[lines.count - 1] = "\(last)  \(cell)"
            } else {
                lines += TextLayout(width: width).lines(of: cell)
            }
        }
        return lines
    }
}
