package import RegionModel

/// The rule of a cut: it says which tiles of a map are taken.
///
/// All conditions count together: a tile is taken if it has a part of the strip along the lines, has a part of the area, and
/// is of a zoom level that is not too high. Tiles of low zoom levels may be taken without these conditions (``wholeZoom``). The strip is measured in the tiles of one zoom level (``detail``), whatever zoom levels
/// a map has, so a cut has no tile of a low zoom level without reason: each shows a part of the strip.
package struct CutRule: Hashable, Sendable {
    /// The distance that a strip has to each side if none is given, in metres.
    package static let usualDistance = 2000.0

    /// The possible distances, in metres.
    package static let possibleDistances = 50.0...100_000.0

    /// The zoom level whose tiles make a strip: tiles of 200 m in the Alps.
    package static let detail = 17

    /// The maximum number of runs of tiles that make up a strip.
    package static let maximumEffort = 4_000_000.0

    /// The lines along which tiles are taken; empty for everywhere.
    package var lines: [[Coordinate]]

    /// The names of the lines, which select nothing.
    package var names: [String]

    /// The distance from the lines, in metres, at least; tiles up to half as far again may be taken.
    package var distance: Double

    /// The area; nil for everywhere.
    package var area: BoundingBox?

    /// The highest zoom level; nil for all.
    package var maximumZoom: Int?

    /// The highest zoom level that is taken whole, wherever its tiles are; nil for none.
    package var wholeZoom: Int?

    /// Creates a rule; the distance is limited to ``possibleDistances``.
    package init(
        along lines: [[Coordinate]] = [],
        called names: [String] = [],
        within distance: Double = usualDistance,
        area: BoundingBox? = nil,
        maximumZoom: Int? = nil,
        wholeZoom: Int? = nil
    ) {
        self.lines = lines.filter { !$0.isEmpty }
        self.distance =
            distance.isNaN
            ? Self.usualDistance
            : min(Self.possibleDistances.upperBound, max(Self.possibleDistances.lowerBound, distance))
        (self.names, self.area, self.maximumZoom, self.wholeZoom) = (names, area, maximumZoom, wholeZoom)
    }

    /// Whether the rule takes every tile.
    package var isWhole: Bool { lines.isEmpty && area == nil && maximumZoom == nil }

    /// Returns the tiles of ``detail`` that have a part of the strip; nil if there is no line.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if that would take too long.
    package func strip() throws(RegionStoreError) -> TileRuns? {
        guard !lines.isEmpty else { return nil }
        // Points that are near the one before change nothing but the time that it takes.
        let tolerance = distance / 16
        let thinned = lines.map { Self.thinned($0, tolerance) }
        guard thinned.reduce(0, { $0 + work($1) }) <= Self.maximumEffort else {
            throw RegionStoreError(
                .invalidArgument,
                "The route is too long to cut a strip along it.",
                remedy: "Use one part of the route, or an area."
            )
        }
        var strip = TileRuns()
        for line in thinned {
            strip = strip.union(TileRuns(along: line, within: distance + tolerance, zoomLevel: Self.detail))
        }
        guard let area = area.map({ AreaTiles(of: $0, zoomLevel: Self.detail) }) else { return strip }
        return TileRuns(strip.runs.flatMap(area.common))
    }

    /// About how many runs of tiles make up the strip.
    var effort: Double { lines.reduce(0) { $0 + work(Self.thinned($1, distance / 16)) } }

    /// Returns a rule with fewer points that takes at least the same tiles.
    ///
    /// - Parameter share: How many times the tolerance fits into the distance. With 16, the distance stays; else it grows.
    package func thinned(by share: Double) -> CutRule {
        let tolerance = distance / share
        var rule = self
        rule.lines = lines.map { Self.thinned($0, tolerance) }
        rule.distance = min(Self.possibleDistances.upperBound, distance + max(0, tolerance - distance / 16))
        return rule
    }

    /// Returns the points that are not near the one before, and the last one.
    private static func thinned(_ line: [Coordinate], _ tolerance: Double) -> [Coordinate] {
        var kept: [Coordinate] = []
        for place in line {
            if let last = kept.last, Geodesy.distance(last, place) < tolerance { continue }
            kept.append(place)
        }
        if let last = line.last, kept.last != last { kept.append(last) }
        return kept
    }

    /// Estimates how many runs of tiles make up the strip of a line.
    private func work(_ line: [Coordinate]) -> Double {
        let grid = TileGrid(zoomLevel: Self.detail)
        let world = Double(grid.length)
        var work = 0.0
        for (start, end) in zip(line, line.dropFirst()) {
            let (from, to) = (grid.tile(at: start), grid.tile(at: end))
            let columns = abs(start.longitude - end.longitude) / 360 * world
            let rows = Double(abs((from?.row ?? 0) - (to?.row ?? 0)))
            let lowest = min(abs(start.latitude), abs(end.latitude))
            // In tiles, as at the point that is nearer to a pole, where they are smaller.
            let margin = distance / Self.metres(atMost: max(abs(start.latitude), abs(end.latitude)))
            let pieces =
                max(min(columns, world - columns), rows) / max(0.25, distance / Self.metres(atMost: lowest)) + 1
            work += pieces * (2 * margin + 2) + rows
        }
        return work
    }

    /// The width of a tile at a latitude, in metres.
    private static func metres(atMost latitude: Double) -> Double {
        // The nearer to a pole, the smaller; there are no tiles beyond 85°.
        let grid = TileGrid(zoomLevel: detail)
        let place = { Coordinate(latitude: min(85, latitude), longitude: $0) }
        guard let start = place(0), let end = place(grid.longitude(grid.length / 2 + 1)) else { return 1 }
        return max(1, Geodesy.distance(start, end))
    }
}
