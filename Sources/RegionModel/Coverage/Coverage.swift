/// Where a map is: for each zoom level, which tiles there are.
///
/// The description is bounded, however large the map is (``maximumRunCount``, ``maximumLength``). If a zoom level has too many
/// runs of tiles, it is described by the tiles of a lower zoom level that cover its tiles (``Level/detail``).
///
/// Most maps are pyramids: each tile of a low zoom level covers tiles of a higher one, and shows a larger area than the map is
/// made for. So a tile of a low zoom level tells where the map is only if its zoom level has tiles of its own, that is, tiles
/// without any tile of a higher zoom level in them (``ownLevels``).
package struct Coverage: Hashable, Sendable {
    /// The maximum number of runs of tiles.
    package static let maximumRunCount = 100_000

    /// The maximum length in bytes; in base64, that is 64 KiB.
    package static let maximumLength = 48 * 1024

    /// The tiles of one zoom level.
    package struct Level: Hashable, Sendable {
        /// The zoom level.
        package let zoomLevel: Int

        /// The number of tiles.
        package let tileCount: Int

        /// The zoom level whose tiles describe where there are tiles; at most ``zoomLevel``.
        package let detail: Int

        /// The tiles of the zoom level ``detail`` in which there are tiles; never empty.
        package let tiles: TileRuns

        /// Whether there may be tiles missing in the described area.
        package var isCoarse: Bool { detail < zoomLevel }

        /// Creates a level; nil if it is not one.
        init?(zoomLevel: Int, tileCount: Int, detail: Int, tiles: TileRuns) {
            guard Region.possibleZoomLevels.contains(zoomLevel), (0...zoomLevel).contains(detail),
                (1...ModelLimits.maximumTileCount).contains(tileCount), tiles.count <= tileCount,
                let rows = tiles.rows, let columns = tiles.columns, rows.upperBound < 1 << detail,
                columns.upperBound < 1 << detail
            else { return nil }
            self.zoomLevel = zoomLevel
            self.tileCount = tileCount
            self.detail = detail
            self.tiles = tiles
        }

        /// Returns the level as tiles of a lower zoom level describe it.
        func coarsened(to detail: Int) -> Level {
            guard detail < self.detail else { return self }
            let coarse = tiles.coarsened(by: self.detail - max(0, detail))
            return Level(zoomLevel: zoomLevel, tileCount: tileCount, detail: max(0, detail), tiles: coarse) ?? self
        }

        /// Returns whether there is, or may be, a tile.
        package func contains(column: Int, row: Int) -> Bool {
            tiles.contains(column: column >> (zoomLevel - detail), row: row >> (zoomLevel - detail))
        }

        /// Returns whether there is, or may be, a tile with a place in it.
        package func contains(_ place: Coordinate) -> Bool {
            guard let tile = TileGrid(zoomLevel: detail).tile(at: place) else { return false }
            return tiles.contains(column: tile.column, row: tile.row)
        }
    }

    /// The zoom levels that have tiles, the lowest first; never empty.
    package let levels: [Level]

    /// The zoom levels that have tiles in which no higher zoom level has any, or that are stated as such; the lowest first, never empty.
    ///
    /// The highest zoom level is always one of them.
    package let ownLevels: [Level]

    /// The zoom levels that are stated as own ones: those of maps that were joined, whose tiles do not show it any more.
    let statedZooms: Set<Int>

    /// Creates a coverage; nil if there is no level, or if the levels are not in order.
    init?(levels: [Level], stating statedZooms: Set<Int> = []) {
        guard !levels.isEmpty, zip(levels, levels.dropFirst()).allSatisfy({ $0.zoomLevel < $1.zoomLevel }),
            levels.reduce(0, { $0 + $1.tiles.runs.count }) <= Self.maximumRunCount
        else { return nil }
        self.levels = levels
        self.statedZooms = statedZooms.intersection(levels.map(\.zoomLevel))
        ownLevels = Self.ownLevels(of: levels, stating: statedZooms)
    }

    /// Returns the coverage with zoom levels that are own ones, whatever the tiles show; those without tiles are ignored.
    package func stating(ownZooms: Set<Int>) -> Coverage { Coverage(levels: levels, stating: ownZooms) ?? self }

    private static func ownLevels(of levels: [Level], stating statedZooms: Set<Int>) -> [Level] {
        // Of the highest level down, what is above a level is kept as tiles of that level.
        var above: (zoom: Int, tiles: TileRuns)?
        var own: [Level] = []
        for level in levels.reversed() {
            let covered = above.map { (zoom: min($0.zoom, level.detail), tiles: $0.tiles) }
            let known = above.flatMap { above in covered.map { above.tiles.coarsened(by: above.zoom - $0.zoom) } }
            let here = level.tiles.coarsened(by: level.detail - (covered?.zoom ?? level.detail))
            if statedZooms.contains(level.zoomLevel) || known.map({ !here.isSubset(of: $0) }) ?? true {
                own.append(level)
            }
            above = (covered?.zoom ?? level.detail, known?.union(here) ?? here)
        }
        return own.reversed()
    }

    /// The zoom levels that have tiles, the lowest first; never empty.
    package var zoomLevels: [Int] { levels.map(\.zoomLevel) }

    /// The number of tiles.
    package var tileCount: Int { levels.reduce(0) { $0 + $1.tileCount } }

    /// Returns how many tiles two maps have together, at least: all, unless a zoom level is described by tiles of a lower one.
    package func leastUnionCount(with other: Coverage) -> Int {
        Set(zoomLevels + other.zoomLevels).reduce(0) { sum, zoomLevel in
            let (one, two) = (level(zoomLevel), other.level(zoomLevel))
            var least = max(one?.tileCount ?? 0, two?.tileCount ?? 0)
            if let one, let two, !one.isCoarse, !two.isCoarse { least = one.tiles.union(two.tiles).count }
            // Counts of another machine are not trusted.
            return sum.addingReportingOverflow(least).overflow ? .max : sum + least
        }
    }

    /// Whether a zoom level is described by tiles of a lower one.
    package var isCoarse: Bool { levels.contains(where: \.isCoarse) }

    /// Returns what is known of a zoom level; nil if it has no tiles.
    package func level(_ zoomLevel: Int) -> Level? { levels.first { $0.zoomLevel == zoomLevel } }

    /// Returns the zoom levels that have a tile with a place in it, the lowest first.
    package func zoomLevels(at place: Coordinate) -> [Int] {
        levels.filter { $0.contains(place) }.map(\.zoomLevel)
    }

    /// Returns whether the map is at a place: whether an own level (``ownLevels``) has a tile there.
    package func contains(_ place: Coordinate) -> Bool { ownLevels.contains { $0.contains(place) } }

    /// Returns whether all tiles are tiles of another map, too, as far as both descriptions tell.
    package func isPart(of other: Coverage) -> Bool { levels.allSatisfy(other.has) }

    /// Returns whether all tiles of a level are there, as far as both descriptions tell.
    package func has(_ level: Level) -> Bool {
        guard let whole = self.level(level.zoomLevel) else { return false }
        let detail = min(level.detail, whole.detail)
        return level.coarsened(to: detail).tiles.isSubset(of: whole.coarsened(to: detail).tiles)
    }

    /// Returns whether two descriptions tell of the same tiles, as far as both tell.
    package func matches(_ other: Coverage) -> Bool { isPart(of: other) && other.isPart(of: self) }

    /// Returns how much of the area that two maps cover together is part of both, from 0 to 1.
    package func commonPart(with other: Coverage) -> Double {
        var detail = min(ownLevels.last?.detail ?? 0, other.ownLevels.last?.detail ?? 0)
        while detail >= 0 {
            if let here = footprint(at: detail), let there = other.footprint(at: detail) {
                let common = here.intersection(there).count
                return Double(common) / Double(max(1, here.count + there.count - common))
            }
            detail -= 1
        }
        return 0
    }

    /// Returns whether two maps have an area in common.
    package func overlaps(_ other: Coverage) -> Bool { commonPart(with: other) > 0 }

    /// Returns the tiles of a zoom level that cover the own levels; nil if they would be too many runs.
    func footprint(at detail: Int) -> TileRuns? {
        var footprint = TileRuns()
        for level in ownLevels {
            let steps = detail - level.detail
            let tiles =
                steps > 0
                ? level.tiles.refined(by: steps, atMost: Self.maximumRunCount) : level.tiles.coarsened(by: -steps)
            guard let tiles else { return nil }
            footprint = footprint.union(tiles)
        }
        return footprint
    }

    /// Returns the coverage with all rows counted from the other side.
    package var mirrored: Coverage? {
        Coverage(
            levels: levels.compactMap { level in
                let last = (1 << level.detail) - 1
                let runs = level.tiles.runs.map { TileRun(row: last - $0.row, first: $0.first, last: $0.last) }
                return Level(
                    zoomLevel: level.zoomLevel,
                    tileCount: level.tileCount,
                    detail: level.detail,
                    tiles: TileRuns(runs)
                )
            },
            stating: statedZooms
        )
    }
}
