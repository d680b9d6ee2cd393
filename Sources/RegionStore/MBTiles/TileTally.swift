/// Counts tiles by zoom level, with their ranges of columns and rows.
struct TileTally {
    /// The count of one zoom level.
    ///
    /// The columns and rows are not checked.
    struct Level: Hashable {
        let zoomLevel: Int
        fileprivate(set) var tileCount: Int
        fileprivate(set) var columns: ClosedRange<Int>
        fileprivate(set) var rows: ClosedRange<Int>
    }

    private var all = [Level?](repeating: nil, count: Region.possibleZoomLevels.upperBound + 1)

    /// The zoom levels that have tiles, the lowest first.
    var levels: [Level] { all.compactMap { $0 } }

    /// Counts a tile; returns false if its zoom level is not valid.
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
    /// Creates an extent from a count; nil if a column or row does not exist in the zoom level.
    init?(_ level: TileTally.Level) {
        self.init(
            zoomLevel: level.zoomLevel,
            tileCount: level.tileCount,
            columns: level.columns,
            rows: level.rows
        )
    }
}
