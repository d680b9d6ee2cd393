/// Where lines are, in the cells of a grid.
struct LineCells {
    private struct Cell: Hashable {
        var column: Int
        var row: Int
    }

    /// The number of places between points, beyond which only the points count: to note more takes too long.
    private static let maximumCount = 200_000
    private let side: Double
    private var cells: Set<Cell> = []
    private var count = 0

    /// Notes lines.
    ///
    /// - Parameter longest: The length of a line between two points beyond which only its ends count.
    init(of segments: [[PictureFrame.Point]], side: Double, longest: Double) {
        self.side = max(1, side)
        for points in segments {
            for (start, end) in zip(points, points.dropFirst()) { add(start, end, longest) }
            if let last = points.last { add(last) }
        }
    }

    private mutating func add(_ start: PictureFrame.Point, _ end: PictureFrame.Point, _ longest: Double) {
        let length = max(abs(end.x - start.x), abs(end.y - start.y))
        add(start)
        guard length < longest else { return }
        for place in stride(from: side / 2, to: length, by: side / 2) {
            count += 1
            guard count <= Self.maximumCount else { return }
            let share = place / length
            add(PictureFrame.Point(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share))
        }
    }

    private mutating func add(_ point: PictureFrame.Point) {
        if let cell = cell(of: point) { cells.insert(cell) }
    }

    private func cell(of point: PictureFrame.Point) -> Cell? {
        guard let column = Int(exactly: (point.x / side).rounded(.down)),
            let row = Int(exactly: (point.y / side).rounded(.down)), abs(column) < 1 << 40, abs(row) < 1 << 40
        else { return nil }
        return Cell(column: column, row: row)
    }

    /// Returns whether a line is in the cell of a point or in one beside it.
    func isNear(_ point: PictureFrame.Point) -> Bool {
        guard let cell = cell(of: point) else { return false }
        return (-1...1).contains { column in
            (-1...1).contains { cells.contains(Cell(column: cell.column + column, row: cell.row + $0)) }
        }
    }
}
