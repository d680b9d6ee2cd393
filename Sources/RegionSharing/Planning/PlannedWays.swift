import RegionStore
package import Routing

/// What planning has found.
package struct PlannedWays: Hashable, Sendable {
    /// The ways, the best first, or a straight line if there is no routing database; never empty.
    package var ways: [PlannedWay]
    /// Whether the region has a routing database.
    package var hasGraph: Bool
    /// For each way, how many metres of it lie beyond the tiles of the map.
    package var beyondMap: [Double]

    /// Whether a way goes beyond the tiles of the map: the routing database of a part of a map is that of the whole map.
    package var leavesMap: Bool { beyondMap.contains { $0 > 0 } }

    init(_ ways: [PlannedWay], hasGraph: Bool, in region: RegionSummary) {
        self.ways = ways
        self.hasGraph = hasGraph
        let place = region.place
        beyondMap = ways.map { region.hasArea ? Self.length(of: $0.coordinates, beyond: place) : 0 }
    }

    /// The distance in metres after which a line is looked at again.
    private static let step = 50.0
    /// The most places of a line between two points that are looked at.
    private static let maximumStepCount = 1000.0

    /// Returns how many metres of a line are beyond a map, to the nearest step.
    private static func length(of line: [Coordinate], beyond map: MapPlace) -> Double {
        var length = 0.0
        for (start, end) in zip(line, line.dropFirst()) {
            let distance = Geodesy.distance(start, end)
            let count = min(maximumStepCount, max(1, (distance / step).rounded(.up)))
            for index in 0..<Int(count) {
                let part = (Double(index) + 0.5) / count
                let middle = Coordinate(
                    latitude: start.latitude + part * (end.latitude - start.latitude),
                    longitude: start.longitude + part * (end.longitude - start.longitude)
                )
                if let middle, !map.contains(middle) { length += distance / count }
            }
        }
        return length
    }
}
