/// A set of tiles of one zoom level, as runs.
package struct TileRuns: Hashable, Sendable {
    /// The runs, in order; between two of a row, at least one tile is missing.
    package private(set) var runs: [TileRun]

    /// Creates a set of runs in any order, which may overlap.
    package init(_ runs: [TileRun] = []) { self.runs = Self.joined(runs.sorted()) }

    /// Creates a set of runs that are in order; nil if they are not, or if they overlap or touch.
    init?(inOrder runs: [TileRun]) {
        for (one, next) in zip(runs, runs.dropFirst())
        where one.row == next.row ? next.first <= one.last + 1 : next < one {
            return nil
        }
        self.runs = runs
    }

    private init(unchecked runs: [TileRun]) { self.runs = runs }

    /// Whether there is no tile.
    package var isEmpty: Bool { runs.isEmpty }

    /// The number of tiles.
    package var count: Int { runs.reduce(0) { $0 + $1.count } }

    /// The rows from the first to the last that has tiles; nil if there is no tile.
    package var rows: ClosedRange<Int>? {
        guard let first = runs.first, let last = runs.last else { return nil }
        return first.row...last.row
    }

    /// The columns from the first to the last that has tiles; nil if there is no tile.
    package var columns: ClosedRange<Int>? {
        guard let start = runs.first else { return nil }
        return runs.reduce(start.first...start.last) { min($0.lowerBound, $1.first)...max($0.upperBound, $1.last) }
    }

    /// Returns whether a tile is in the set.
    package func contains(column: Int, row: Int) -> Bool {
        overlaps(TileRun(row: row, first: column, last: column))
    }

    /// Returns whether the set has a tile of a run.
    func overlaps(_ run: TileRun) -> Bool {
        let index = firstIndex(reaching: run.first, of: run.row)
        return index < runs.count && runs[index].row == run.row && runs[index].first <= run.last
    }

    /// Returns the index of the first run that ends at a column of a row or behind it.
    private func firstIndex(reaching column: Int, of row: Int) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if (runs[middle].row, runs[middle].last) < (row, column) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the tiles of both sets.
    package func union(_ other: TileRuns) -> TileRuns {
        guard !isEmpty else { return other }
        guard !other.isEmpty else { return self }
        var merged: [TileRun] = []
        merged.reserveCapacity(runs.count + other.runs.count)
        var (index, otherIndex) = (0, 0)
        while index < runs.count || otherIndex < other.runs.count {
            let takesOther =
                index == runs.count || otherIndex < other.runs.count && other.runs[otherIndex] < runs[index]
            Self.append(takesOther ? other.runs[otherIndex] : runs[index], to: &merged)
            if takesOther { otherIndex += 1 } else { index += 1 }
        }
        return TileRuns(unchecked: merged)
    }

    /// Returns the tiles that are in both sets.
    package func intersection(_ other: TileRuns) -> TileRuns {
        var common: [TileRun] = []
        var (index, otherIndex) = (0, 0)
        while index < runs.count, otherIndex < other.runs.count {
            let (one, two) = (runs[index], other.runs[otherIndex])
            let (first, last) = (max(one.first, two.first), min(one.last, two.last))
            if one.row == two.row, first <= last { common.append(TileRun(row: one.row, first: first, last: last)) }
            if (one.row, one.last) < (two.row, two.last) { index += 1 } else { otherIndex += 1 }
        }
        return TileRuns(unchecked: common)
    }

    /// Returns whether all tiles are in another set.
    package func isSubset(of other: TileRuns) -> Bool {
        var index = 0
        for run in runs {
            while index < other.runs.count, (other.runs[index].row, other.runs[index].last) < (run.row, run.last) {
                index += 1
            }
            guard index < other.runs.count, other.runs[index].holds(run) else { return false }
        }
        return true
    }

    /// Returns the tiles of a lower zoom level that cover these.
    package func coarsened(by steps: Int) -> TileRuns {
        guard steps > 0 else { return self }
        var coarse: [TileRun] = []
        var start = runs.startIndex
        // The runs of one coarse row, which come from several rows, are put in order for themselves.
        while start < runs.endIndex {
            let row = runs[start].row >> steps
            var end = start
            while end < runs.endIndex, runs[end].row >> steps == row { end += 1 }
            coarse += Self.joined(
                runs[start..<end].map { TileRun(row: row, first: $0.first >> steps, last: $0.last >> steps) }.sorted()
            )
            start = end
        }
        return TileRuns(unchecked: coarse)
    }

    /// Returns the tiles of a higher zoom level that these cover; nil if they have more runs than a limit.
    func refined(by steps: Int, atMost limit: Int) -> TileRuns? {
        guard steps > 0 else { return runs.count <= limit ? self : nil }
        guard steps < 31, runs.count <= limit >> steps else { return nil }
        var fine: [TileRun] = []
        var start = runs.startIndex
        while start < runs.endIndex {
            let end = runs[start...].firstIndex { $0.row != runs[start].row } ?? runs.endIndex
            for row in (runs[start].row << steps)..<((runs[start].row + 1) << steps) {
                for run in runs[start..<end] {
                    fine.append(TileRun(row: row, first: run.first << steps, last: ((run.last + 1) << steps) - 1))
                }
            }
            start = end
        }
        return TileRuns(unchecked: fine)
    }

    private static func joined(_ sorted: [TileRun]) -> [TileRun] {
        var joined: [TileRun] = []
        for run in sorted { append(run, to: &joined) }
        return joined
    }

    /// Appends a run that does not begin before the last one, or makes the last one longer.
    private static func append(_ run: TileRun, to runs: inout [TileRun]) {
        guard let last = runs.last, last.row == run.row, run.first <= last.last + 1 else { return runs.append(run) }
        if run.last > last.last { runs[runs.count - 1] = TileRun(row: run.row, first: last.first, last: run.last) }
    }
}
