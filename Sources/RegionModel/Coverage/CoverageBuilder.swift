/// Makes the coverage of a map in one pass over its tiles, in any order, and in memory that does not grow with their number.
///
/// Most files have their tiles in the order of rows or columns, so tiles are first put together to rectangles. Other tiles
/// are collected as runs, and these are sorted and merged in batches. If they become too many, a zoom level is described
/// by the tiles of a lower one.
package struct CoverageBuilder {
    /// The maximum number of runs of all zoom levels while the pass lasts.
    private static let maximumRunCount = 2 * Coverage.maximumRunCount

    private var levels: [Collector?] = Array(repeating: nil, count: Region.possibleZoomLevels.upperBound + 1)

    package init() {}

    /// Adds a tile, which its zoom level must have; rows count from the north.
    package mutating func add(zoomLevel: Int, column: Int, row: Int) {
        guard levels.indices.contains(zoomLevel) else { return }
        if levels[zoomLevel] == nil { levels[zoomLevel] = Collector(zoomLevel: zoomLevel) }
        if levels[zoomLevel]?.add(column: column, row: row) == true { coarsen(to: Self.maximumRunCount) }
    }

    /// Takes tiles that were added twice out of the number of tiles.
    package mutating func discount(_ count: Int, zoomLevel: Int) {
        guard levels.indices.contains(zoomLevel) else { return }
        levels[zoomLevel]?.discount(count)
    }

    /// The number of tiles.
    package var tileCount: Int { levels.reduce(0) { $0 + ($1?.tileCount ?? 0) } }

    /// Counts tiles that were added twice once, and returns the zoom levels for which that is not possible: those that are described by
    /// lower ones.
    package mutating func countPlaces() -> Set<Int> {
        Set(levels.indices.filter { levels[$0]?.countPlaces() == false })
    }

    /// The coverage of the tiles so far; nil if there is none.
    package var coverage: Coverage? {
        var whole = self
        for index in whole.levels.indices { whole.levels[index]?.finish() }
        whole.coarsen(to: Coverage.maximumRunCount)
        return Coverage(
            levels: CoverageCoding.fitting(whole.levels.compactMap { $0?.level }, into: Coverage.maximumLength)
        )
    }

    /// Describes the zoom level with the most runs by a lower one, until there are few enough.
    private mutating func coarsen(to limit: Int) {
        while levels.reduce(0, { $0 + ($1?.runCount ?? 0) }) > limit {
            let largest = levels.indices.max { (levels[$0]?.runCount ?? 0) < (levels[$1]?.runCount ?? 0) }
            guard let largest, levels[largest]?.coarsen() == true else { return }
        }
    }
}

/// The tiles of one zoom level, as they come.
private struct Collector {
    /// The number of runs that are collected before they are merged.
    private static let batch = 16_384

    private struct Rectangle {
        var columns: ClosedRange<Int>
        var rows: ClosedRange<Int>

        /// Takes in tiles that lie beside it, with the same rows or the same columns; returns whether it has.
        mutating func join(_ other: Rectangle) -> Bool {
            if rows == other.rows, let joined = Self.join(columns, other.columns) {
                columns = joined
                return true
            }
            guard columns == other.columns, let joined = Self.join(rows, other.rows) else { return false }
            rows = joined
            return true
        }

        private static func join(_ one: ClosedRange<Int>, _ other: ClosedRange<Int>) -> ClosedRange<Int>? {
            guard other.lowerBound <= one.upperBound + 1, one.lowerBound <= other.upperBound + 1 else { return nil }
            return min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
        }
    }

    private let zoomLevel: Int
    private(set) var tileCount = 0
    private var detail: Int
    private var tiles = TileRuns()
    private var pending: [TileRun] = []
    /// The tiles of one row or column that came last.
    private var strip: Rectangle?
    /// Strips side by side that came before.
    private var block: Rectangle?

    init(zoomLevel: Int) {
        self.zoomLevel = zoomLevel
        detail = zoomLevel
    }

    var runCount: Int { tiles.runs.count }

    var level: Coverage.Level? {
        Coverage.Level(zoomLevel: zoomLevel, tileCount: tileCount, detail: detail, tiles: tiles)
    }

    /// Adds a tile; returns whether runs were merged, so that there may be too many.
    mutating func add(column: Int, row: Int) -> Bool {
        tileCount += 1
        let (column, row) = (column >> (zoomLevel - detail), row >> (zoomLevel - detail))
        let tile = Rectangle(columns: column...column, rows: row...row)
        // In place: a strip that is taken out and put back costs most of the time of a large map.
        if strip?.join(tile) == true { return false }
        closeStrip()
        strip = tile
        guard pending.count >= Self.batch else { return false }
        merge()
        return true
    }

    /// Counts each tile once; returns false if it is not known which there are.
    mutating func countPlaces() -> Bool {
        guard detail == zoomLevel else { return false }
        finish()
        tileCount = tiles.count
        return true
    }

    mutating func discount(_ count: Int) { tileCount -= min(tileCount, count) }

    mutating func finish() {
        closeStrip()
        closeBlock()
        merge()
    }

    /// Describes the tiles by the next lower zoom level; returns false if there is none.
    mutating func coarsen() -> Bool {
        guard detail > 0 else { return false }
        finish()
        tiles = tiles.coarsened(by: 1)
        detail -= 1
        return true
    }

    private mutating func closeStrip() {
        guard let strip else { return }
        self.strip = nil
        if block?.join(strip) == true { return }
        closeBlock()
        block = strip
    }

    private mutating func closeBlock() {
        guard let block else { return }
        self.block = nil
        for row in block.rows {
            pending.append(TileRun(row: row, first: block.columns.lowerBound, last: block.columns.upperBound))
            // A block may have any number of rows.
            if pending.count >= 4 * Self.batch { merge() }
        }
    }

    private mutating func merge() {
        tiles = tiles.union(TileRuns(pending))
        pending.removeAll(keepingCapacity: true)
    }
}
