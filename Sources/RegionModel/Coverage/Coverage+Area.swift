extension Coverage {
    /// Returns the smallest box with all tiles of the own levels (``ownLevels``).
    ///
    /// It crosses 180° if it is narrower then, and has at most half the longitudes.
    package var area: BoundingBox? { area(statedAs: nil) }

    /// Returns the area of the map; nil if it has none.
    ///
    /// That is the smallest box with all tiles of the own levels. An edge that the file states counts if it lies in the outermost
    /// tiles at that edge: then, tiles reach a little farther than the map. If it lies farther inside, the bounds are not those of
    /// the map, and none of them counts. So stated bounds make the area smaller, but never larger, and they never hide a tile.
    ///
    /// - Parameter bounds: The edges that the file states; nil if it states none.
    package func area(statedAs bounds: BoundingBox?) -> BoundingBox? {
        var (north, south): (ClosedRange<Double>?, ClosedRange<Double>?)
        for level in ownLevels {
            let grid = TileGrid(zoomLevel: level.detail)
            guard let rows = level.tiles.rows else { continue }
            let top = grid.latitude(rows.lowerBound + 1)...grid.latitude(rows.lowerBound)
            let bottom = grid.latitude(rows.upperBound + 1)...grid.latitude(rows.upperBound)
            // The outermost edge, and how far it can move without a tile being outside.
            north = north.map { max($0.lowerBound, top.lowerBound)...max($0.upperBound, top.upperBound) } ?? top
            south =
                south.map { min($0.lowerBound, bottom.lowerBound)...min($0.upperBound, bottom.upperBound) } ?? bottom
        }
        guard let north, let south, let span = LongitudeSpan(of: ownLevels) else { return nil }
        let tiled = BoundingBox(
            north: north.upperBound,
            south: south.lowerBound,
            east: span.east.upperBound,
            west: span.west.lowerBound
        )
        guard let bounds, let tiled else { return tiled }
        // Beyond the tiles, the edge of the tiles counts; farther inside than the outermost tiles, the bounds are wrong.
        func edge(_ stated: Double, _ end: Double, _ position: Double, _ size: Double) -> Double? {
            position <= 0 ? end : position <= size ? stated : nil
        }
        let (west, east) = (tiled.eastward(bounds.west), tiled.width - tiled.eastward(bounds.east))
        guard
            let top = edge(bounds.north, tiled.north, tiled.north - bounds.north, north.upperBound - north.lowerBound),
            let bottom = edge(
                bounds.south,
                tiled.south,
                bounds.south - tiled.south,
                south.upperBound - south.lowerBound
            ),
            let left = edge(bounds.west, tiled.west, west, span.west.upperBound - span.west.lowerBound),
            let right = edge(bounds.east, tiled.east, east, span.east.upperBound - span.east.lowerBound),
            let narrowed = BoundingBox(north: top, south: bottom, east: right, west: left),
            narrowed.height > 0, narrowed.width > 0, narrowed.width <= tiled.width
        else { return tiled }
        return narrowed
    }

    /// Returns from where to where the own levels reach, in tiles of a zoom level; nil if there are none.
    ///
    /// If the area crosses 180°, the columns go on beyond the last one of the zoom level.
    package func extent(at zoomLevel: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
        guard let span = LongitudeSpan(of: ownLevels) else { return nil }
        func shifted(_ number: Int, _ steps: Int) -> Int { steps >= 0 ? number << steps : number >> -steps }
        let rows = ownLevels.compactMap { level -> ClosedRange<Int>? in
            guard let rows = level.tiles.rows else { return nil }
            let steps = zoomLevel - level.detail
            let first = shifted(rows.lowerBound, steps)
            return first...max(first, shifted(rows.upperBound + 1, steps) - 1)
        }
        guard let top = rows.map(\.lowerBound).min(), let bottom = rows.map(\.upperBound).max() else { return nil }
        let steps = Region.possibleZoomLevels.upperBound - zoomLevel
        let length = 1 << Region.possibleZoomLevels.upperBound
        let last = span.last < span.first ? span.last + length : span.last
        return ((span.first >> steps)...(last >> steps), top...bottom)
    }

    /// Returns whether a stated area has none of the map in it.
    package func isApart(from area: BoundingBox) -> Bool {
        ownLevels.allSatisfy { $0.tiles.within(area, zoomLevel: $0.detail).isEmpty }
    }
}

/// From where to where the columns of a map reach.
private struct LongitudeSpan {
    /// The western column: from its western to its eastern edge, in degrees.
    var west: ClosedRange<Double>
    /// The eastern column.
    var east: ClosedRange<Double>
    /// The western column, as one of the highest zoom level that there can be.
    var first: Int
    /// The eastern one, which is west of the other if the area crosses 180°.
    var last: Int

    init?(of levels: [Coverage.Level]) {
        // In columns of the highest zoom level that there can be.
        let grid = TileGrid(zoomLevel: Region.possibleZoomLevels.upperBound)
        var spans: [ClosedRange<Int>] = []
        let all = levels.flatMap { level -> [(columns: ClosedRange<Int>, column: Int)] in
            let steps = grid.zoomLevel - level.detail
            return level.tiles.runs.map { run in
                ((run.first << steps)...(((run.last + 1) << steps) - 1), 1 << steps)
            }
        }
        for run in all.map(\.columns).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = spans.last, run.lowerBound <= last.upperBound + 1 {
                spans[spans.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
            } else {
                spans.append(run)
            }
        }
        guard var first = spans.first?.lowerBound, var last = spans.last?.upperBound else { return nil }
        // The widest gap is outside the map, also if it is in the middle of the world.
        var widest = first + grid.length - 1 - last
        for (one, next) in zip(spans, spans.dropFirst()) {
            let gap = next.lowerBound - one.upperBound - 1
            if gap > widest, gap >= grid.length / 2 { (widest, first, last) = (gap, next.lowerBound, one.upperBound) }
        }
        // An edge can move until it reaches the other side of the narrowest tile there.
        let west = all.map { Self.distance(from: first, to: $0.columns.lowerBound + $0.column, grid.length) }.min() ?? 0
        let east = all.map { Self.distance(from: $0.columns.upperBound - $0.column, to: last, grid.length) }.min() ?? 0
        (self.first, self.last) = (first, last)
        self.west = grid.longitude(first)...grid.longitude(first + west)
        self.east = grid.longitude(last + 1 - east)...grid.longitude(last + 1)
    }

    /// Returns the number of columns from one to another eastwards; around the world if they are the same.
    private static func distance(from start: Int, to end: Int, _ length: Int) -> Int {
        let distance = (end - start + 2 * length) % length
        return distance == 0 ? length : distance
    }
}
