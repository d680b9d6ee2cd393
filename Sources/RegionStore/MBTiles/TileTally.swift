/// Counts tiles by zoom level, and notes between which columns and rows they lie.
struct TileTally {
    /// What was counted of one zoom level.
    ///
    /// Columns and rows may be anything.
    struct Level: Hashable {
        let zoomLevel: Int
        fileprivate(set) var tileCount: Int
        fileprivate(set) var columns: ClosedRange<Int>
        fileprivate(set) var rows: ClosedRange<Int>
    }

    private var all = [Level?](repeating: nil, count: Region.possibleZoomLevels.upperBound + 1)

    /// The zoom levels that have tiles, the lowest first.
    var levels: [Level] { all.compactMap { $0 } }

    /// Counts a tile; false if there is no such zoom level.
    mutating func count(_ zoomLevel: Int, column: Int, row: Int) -> Bool {
        guard all.indices.contains(zoomLevel) else { return false }
        guard var level = all[zoomLevel] else {
            all[zoomLevel] = Level(zoomLevel: zoomLevel, tileCount: 1, columns: column...column, rows: row...row)
            return true
        }
        level.tileCount += 1
        level.columns = min(level.columns.lowerBound, column)...max(level.columns.upperBound, column)
        level.rows = min(level.rows.lowerBound, row)...max(level.rows.upperBound, row)
        all[zoomLevel] = level
        return true
    }
}

extension TileExtent {
    /// Creates an extent of what was counted; nil if a tile is not inside the zoom level.
    init?(_ level: TileTally.Level) {
        self.init(
            zoomLevel: level.zoomLevel,
            tileCount: level.tileCount,
            columns: level.columns,
            rows: level.rows
        )
    }
}
