/// Dots on which outlines are drawn, for a sketch in a terminal.
package struct DotGrid: Hashable, Sendable {
    /// A position on the grid; the upper left corner is at 0, 0.
    package struct Position: Hashable, Sendable {
        /// The distance from the left, in dots.
        package var x: Double

        /// The distance from above, in dots.
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The number of dots in a row.
    package let columns: Int

    /// The number of rows.
    package let rows: Int

    private var dots: [Bool]

    /// Creates an empty grid, of at least one dot.
    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        dots = Array(repeating: false, count: self.columns * self.rows)
    }

    /// Whether no dot is set.
    package var isEmpty: Bool { !dots.contains(true) }

    /// Returns whether a dot is set; dots outside the grid are not.
    package func isSet(_ column: Int, _ row: Int) -> Bool {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return false }
        return dots[row * columns + column]
    }

    /// Sets a dot; one outside the grid is ignored.
    package mutating func set(_ column: Int, _ row: Int) {
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
        dots[row * columns + column] = true
    }

    /// Draws a line through positions, which may be outside the grid.
    package mutating func draw(_ line: [Position], every distance: Int = 1) {
        var count = 0
        var last: Int?
        for (start, end) in zip(line, line.dropFirst()) {
            guard let part = clipped(start, end) else { continue }
            let (from, to) = (dot(at: part.start), dot(at: part.end))
            let (width, height) = (to.column - from.column, to.row - from.row)
            let steps = max(abs(width), abs(height))
            for step in 0...steps {
                let share = steps == 0 ? 0 : Double(step) / Double(steps)
                let column = from.column + Int((Double(width) * share).rounded())
                let row = from.row + Int((Double(height) * share).rounded())
                let index = row * columns + column
                guard index != last else { continue }
                if count.isMultiple(of: max(1, distance)) { dots[index] = true }
                last = index
                count += 1
            }
        }
    }

    /// Returns the dot at a position on the grid.
    private func dot(at position: Position) -> (column: Int, row: Int) {
        (min(columns - 1, max(0, Int(position.x))), min(rows - 1, max(0, Int(position.y))))
    }

    /// Returns the part of a line that is on the grid; nil if there is none. (The algorithm of Liang and Barsky.)
    private func clipped(_ start: Position, _ end: Position) -> (start: Position, end: Position)? {
        let (width, height) = (end.x - start.x, end.y - start.y)
        guard start.x.isFinite, start.y.isFinite, width.isFinite, height.isFinite else { return nil }
        var (first, last) = (0.0, 1.0)
        let edges = [
            (-width, start.x), (width, Double(columns) - start.x),
            (-height, start.y), (height, Double(rows) - start.y),
        ]
        for (direction, room) in edges {
            if direction == 0 {
                if room < 0 { return nil }
            } else if direction < 0 {
                first = max(first, room / direction)
            } else {
                last = min(last, room / direction)
            }
        }
        guard first <= last else { return nil }
        func position(_ share: Double) -> Position {
            Position(
                x: min(Double(columns), max(0, start.x + share * width)),
                y: min(Double(rows), max(0, start.y + share * height))
            )
        }
        return (position(first), position(last))
    }
}
