/// Cells in rows and columns, which can be arranged for different widths.
struct TextTable: Hashable, Sendable {
    /// The width that the last column needs for its text to be broken inside it.
    private static let leastLastColumn = 24

    /// The widths of all rows of a table, also of one that is shown piece by piece.
    struct Measure: Hashable, Sendable {
        /// The greatest width of a column; wider cells move only the rest of their own row.
        let maximumWidth: Int

        /// The width of each column.
        private(set) var widths: [Int] = []
        /// The width of each column without cells that are too wide.
        private(set) var fittingWidths: [Int] = []
        /// The width of the widest part of the last column that cannot be broken.
        private(set) var longestWord = 0
        /// The most columns that cells of one row are too wide by.
        private var overhang = 0

        init(maximumWidth: Int = .max) {
            self.maximumWidth = maximumWidth
        }

        /// Adds a row.
        mutating func add(_ row: [DisplayText]) {
            var overhang = 0
            let missing = row.count - widths.count
            if missing > 0 {
                widths += Array(repeating: 0, count: missing)
                fittingWidths += Array(repeating: 0, count: missing)
                longestWord = 0
            }
            for (column, cell) in row.enumerated() {
                let width = cell.width
                widths[column] = max(widths[column], width)
                if width <= maximumWidth {
                    fittingWidths[column] = max(fittingWidths[column], width)
                } else {
                    overhang += width - maximumWidth
                }
            }
            self.overhang = max(self.overhang, overhang)
            if row.count == widths.count, let last = row.last {
                longestWord = max(longestWord, TextParagraph(last).longestWord)
            }
        }

        /// The width of the widest line, or a little more if cells are too wide for their columns.
        var lineWidth: Int {
            let wide = overhang > 0 ? maximumWidth : 0
            return fittingWidths.reduce(0) { $0 + $1 } + 2 * max(0, widths.count - 1) + wide + overhang
        }
    }

    /// The cells; no row ends with empty ones.
    let rows: [[DisplayText]]

    /// The columns that are aligned on the right.
    let trailing: Set<Int>

    /// The widths of the columns.
    let measure: Measure

    /// Whether the rows are a piece of a longer table.
    let isPiece: Bool

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - rows: The cells.
    ///   - trailing: The columns that are aligned on the right.
    ///   - maximumWidth: The greatest width of a column; wider cells move only the rest of their own row.
    init(_ rows: [[DisplayText]], trailing: Set<Int> = [], maximumWidth: Int = .max) {
        var measure = Measure(maximumWidth: maximumWidth)
        self.rows = rows.map(Self.withoutEmptyEnd)
        for row in self.rows { measure.add(row) }
        self.trailing = trailing
        self.measure = measure
        isPiece = false
    }

    /// Creates a piece of a longer table.
    ///
    /// - Parameters:
    ///   - rows: The cells of this piece.
    ///   - trailing: The columns that are aligned on the right.
    ///   - measure: The widths of all rows.
    init(_ rows: [[DisplayText]], trailing: Set<Int> = [], pieceOf measure: Measure) {
        var measure = measure
        self.rows = rows.map(Self.withoutEmptyEnd)
        // The rows may have changed since they were measured.
        for row in self.rows { measure.add(row) }
        self.trailing = trailing
        self.measure = measure
        isPiece = true
    }

    static func withoutEmptyEnd(_ row: [DisplayText]) -> [DisplayText] {
        Array(row.prefix((row.lastIndex { !$0.isEmpty } ?? -1) + 1))
    }

    /// The rows as lines, with two spaces between columns.
    var lines: [DisplayText] {
        rows.map { line(of: $0, last: $0.count - 1) }
    }

    /// Returns lines that are at most so wide, if no word is wider.
    ///
    /// If the columns have no room side by side, each row becomes a line with its first cell, and indented lines with the
    /// others.
    func lines(width: Int) -> [DisplayText] {
        let before = measure.widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let room = width - before
        let last = measure.widths.count - 1
        guard room >= max(Self.leastLastColumn, measure.longestWord), !trailing.contains(last) else {
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
        let widths = measure.fittingWidths
        return row.enumerated().map { column, cell in
            trailing.contains(column)
                ? cell.padded(to: widths[column], leading: true)
                : column == last ? cell : cell.padded(to: widths[column])
        }.joined(separator: "  ")
    }

    private func cards(width: Int) -> [DisplayText] {
        // Empty columns at the beginning are the indentation of the table.
        let widths = measure.widths
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
