package import RegionModel

/// Some tiles of a map, by zoom level.
package struct TileSet: Hashable, Sendable {
    /// The maximum number of tiles that are taken from a list of numbers.
    package static let maximumCount = 65_536

    /// The distance in which a tile still counts as one on a line, in metres.
    private static let nearness = 50.0

    /// The tiles of each zoom level that has any.
    package private(set) var levels: [Int: TileRuns] = [:]

    package init() {}

    /// Creates a set of the tiles with some numbers, the first ``maximumCount`` of them; numbers that no tile has are left out.
    package init(_ tiles: some Sequence<TileAddress>) {
        var runs: [Int: [TileRun]] = [:]
        for address in tiles.lazy.prefix(Self.maximumCount) {
            runs[address.zoomLevel, default: []]
                .append(TileRun(row: address.row, first: address.column, last: address.column))
        }
        levels = runs.mapValues { TileRuns($0) }
    }

    /// The number of tiles.
    package var count: Int { levels.values.reduce(0) { $0 + $1.count } }

    /// Whether there is no tile.
    package var isEmpty: Bool { levels.isEmpty }

    /// The tiles of the highest zoom level that has any, and the zoom level; nil if there is no tile.
    package var finest: (zoomLevel: Int, tiles: TileRuns)? {
        levels.max { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the tiles of both sets.
    package func union(_ other: TileSet) -> TileSet {
        var all = self
        all.levels.merge(other.levels) { $0.union($1) }
        return all
    }

    /// Returns the tiles through which a line goes, or by which it passes within 50 m.
    ///
    /// - Parameter effort: How much work is still allowed; what the line needs is taken away.
    /// - Returns: The tiles; nil if the line needs more work.
    package func tiles(on line: [Coordinate], effort: inout Double) -> TileSet? {
        let rule = CutRule(along: [line], within: Self.nearness)
        let needed = rule.effort
        guard needed <= effort, let strip = try? rule.strip() else { return nil }
        effort -= needed
        var found = TileSet()
        for (zoomLevel, tiles) in levels {
            let steps = zoomLevel - CutRule.detail
            let common =
                steps <= 0
                ? strip.coarsened(by: -steps).intersection(tiles)
                : TileRuns(tiles.runs.flatMap { Self.part(of: $0, in: strip, finer: steps) })
            if !common.isEmpty { found.levels[zoomLevel] = common }
        }
        return found
    }

    /// Returns those tiles of a run that are in the tiles of a lower zoom level.
    private static func part(of run: TileRun, in coarse: TileRuns, finer steps: Int) -> [TileRun] {
        // There are no more columns than tiles in the set.
        (run.first...run.last).filter { coarse.contains(column: $0 >> steps, row: run.row >> steps) }
            .map { TileRun(row: run.row, first: $0, last: $0) }
    }
}
