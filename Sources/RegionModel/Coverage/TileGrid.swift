import Glibc

/// The tiles of a zoom level in Web Mercator; rows count from the north, and columns from the west.
package struct TileGrid: Hashable, Sendable {
    /// The zoom level.
    package let zoomLevel: Int

    package init(zoomLevel: Int) {
        self.zoomLevel = min(Region.possibleZoomLevels.upperBound, max(0, zoomLevel))
    }

    /// The number of columns, and of rows.
    package var length: Int { 1 << zoomLevel }

    /// Returns the western edge of a column, in degrees.
    package func longitude(_ column: Int) -> Double { Double(column) / Double(length) * 360 - 180 }

    /// Returns the northern edge of a row, in degrees.
    package func latitude(_ row: Int) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / Double(length)))) * 180 / .pi
    }

    /// Returns the tile with a place in it; nil beyond 85.05° N and S, where there are no tiles.
    package func tile(at place: Coordinate) -> (column: Int, row: Int)? {
        let (x, y) = (position(longitude: place.longitude), position(latitude: place.latitude))
        guard (0...Double(length)).contains(x), (0...Double(length)).contains(y) else { return nil }
        return (min(length - 1, Int(x)), min(length - 1, Int(y)))
    }

    /// Returns how many columns are west of a longitude.
    func position(longitude: Double) -> Double { (longitude + 180) / 360 * Double(length) }

    /// Returns how many rows are north of a latitude.
    func position(latitude: Double) -> Double {
        (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2 * Double(length)
    }
}

extension TileRuns {
    /// The most tiles by which a piece of a line is widened, so that no distance makes a set that is too large.
    private static let maximumMargin = 4096.0

    /// Returns the tiles within a distance of a line.
    ///
    /// Tiles that are a little farther, at most half as far again, may be among them. They depend on the line, the distance and
    /// the zoom level alone, so every machine finds the same.
    ///
    /// - Parameters:
    ///   - line: The points of the line. Two that follow each other are joined the shorter way, also across 180°.
    ///   - distance: The distance in metres.
    package init(along line: some Sequence<Coordinate>, within distance: Double, zoomLevel: Int) {
        let grid = TileGrid(zoomLevel: zoomLevel)
        var (all, pending) = (TileRuns(), [TileRun]())
        var last: (x: Double, y: Double)?
        for place in line {
            let y = min(Double(grid.length), max(0, grid.position(latitude: place.latitude)))
            let x = grid.position(longitude: place.longitude)
            let start = last ?? (x, y)
            let world = Double(grid.length)
            let end = x + (start.x - x > world / 2 ? world : x - start.x > world / 2 ? -world : 0)
            // Metres become shorter in tiles towards the poles.
            let width = 40_075_016.7 * max(0.01, cos(place.latitude * .pi / 180)) / world
            let margin = min(Self.maximumMargin, max(0, distance) / width)
            // A piece is as long as the margin, so that its box is little larger than what is near it.
            let count = max(1, min(1 << 20, Int(max(abs(end - start.x), abs(y - start.y)) / max(0.25, margin)) + 1))
            for step in 0..<count {
                let (from, to) = (Double(step) / Double(count), Double(step + 1) / Double(count))
                let xs = [start.x + (end - start.x) * from, start.x + (end - start.x) * to].sorted()
                let ys = [start.y + (y - start.y) * from, start.y + (y - start.y) * to].sorted()
                pending += grid.runs(xs[0] - margin, xs[1] + margin, ys[0] - margin, ys[1] + margin)
                if pending.count > 65_536 { (all, pending) = (all.union(TileRuns(pending)), []) }
            }
            last = (x, y)
        }
        self = all.union(TileRuns(pending))
    }

    /// Returns the tiles that have a part of an area in them.
    package func within(_ area: BoundingBox, zoomLevel: Int) -> TileRuns {
        let grid = TileGrid(zoomLevel: zoomLevel)
        // A tile that only touches the area at its edge has nothing of it.
        let inside = 1e-9
        let rows = grid.steps(grid.position(latitude: area.north), grid.position(latitude: area.south), inside)
        let columns = area.longitudes.map { range in
            grid.steps(grid.position(longitude: range.lowerBound), grid.position(longitude: range.upperBound), inside)
        }
        return TileRuns(
            runs.lazy.filter { rows.contains($0.row) }.flatMap { run in
                columns.compactMap { columns -> TileRun? in
                    let (first, last) = (max(run.first, columns.lowerBound), min(run.last, columns.upperBound))
                    return first <= last ? TileRun(row: run.row, first: first, last: last) : nil
                }
            }
        )
    }
}

extension TileGrid {
    /// Returns the columns or rows between two positions.
    fileprivate func steps(_ start: Double, _ end: Double, _ inside: Double) -> ClosedRange<Int> {
        let last = Double(length - 1)
        let margin = min(inside, (end - start) / 2)
        func step(_ position: Double) -> Int { Int(min(last, max(0, position.isNaN ? 0 : position.rounded(.down)))) }
        return step(start + margin)...max(step(start + margin), step(end - margin))
    }

    /// Returns the tiles between positions, which may be beyond the edges in the west and east.
    fileprivate func runs(_ west: Double, _ east: Double, _ north: Double, _ south: Double) -> [TileRun] {
        let world = Double(length)
        guard west.isFinite, east.isFinite, west >= -world, east <= 2 * world, west <= east else { return [] }
        let rows =
            Int(
                max(0, min(world - 1, north.rounded(.down)))
            )...Int(max(0, min(world - 1, max(north, south).rounded(.down))))
        var (first, last) = (Int(west.rounded(.down)), Int(east.rounded(.down)))
        if last - first >= length - 1 { (first, last) = (0, length - 1) }
        return rows.flatMap { row -> [TileRun] in
            // What is beyond an edge is at the other one.
            [-length, 0, length].compactMap { shift in
                let (from, to) = (max(0, first + shift), min(length - 1, last + shift))
                return from <= to ? TileRun(row: row, first: from, last: to) : nil
            }
        }
    }
}
