package import RegionModel

extension RoutingGraph {
    /// The distance from a place within which the graph must have something, in metres.
    private static let maximumDistance = 1000.0
    /// The distance within which a place may be moved from a tiny island of ways to a large one, in metres.
    private static let islandDistance = 250.0
    /// How many times as many edges as a tiny island a large one has at least.
    private static let tinyShare = 20
    /// The maximum number of points of a way: twice as many as a planned route may have.
    private static let maximumPointCount = 2 * ModelLimits.maximumRoutePointCount

    /// Returns ways through places, the best first: one, or up to `count` if there are only two places.
    ///
    /// Each place is moved to the nearest point of the graph, but not to one of a few that meet no other way. Every way after the first differs from every better one in more than
    /// a third of its length.
    ///
    /// - Throws: `PlanningError`, or `RegionStoreError` for a way with too many points.
    package func ways(through places: [Coordinate], atMost count: Int = 3) throws -> [PlannedWay] {
        guard places.count > 1 else { throw PlanningError.tooFewPlaces }
        let nearest = try places.indices.map { try place(places, $0) }
        let points = commonIsland(of: places, nearest) ?? nearest
        let legs = try points.indices.dropLast().map { index in
            let (leg, search) = leg(from: points[index], to: points[index + 1])
            guard let leg else { throw noWay(from: index, points[index], to: points[index + 1], search) }
            return leg
        }
        guard legs.count == 1, let best = legs.first, let start = points.first, let goal = points.last else {
            return [try way(legs, through: places, points)]
        }
        return try alternatives(to: best, from: start, to: goal, atMost: count).map {
            try way([$0], through: places, points)
        }
    }

    private func place(_ places: [Coordinate], _ index: Int) throws -> GraphPlace {
        let nearest = nearest(to: places[index])
        if let nearest, nearest.metres <= Self.maximumDistance { return nearest.place }
        let metres = nearest?.metres ?? nodes.map { Geodesy.distance($0.coordinate, places[index]) }.min()
        throw PlanningError.tooFar(place: index, metres: metres ?? Self.maximumDistance)
    }

    /// Moves places from tiny islands of ways to a large one; nil if that does not bring all of them together.
    ///
    /// Beside a car park, a footway is often nearest that meets no other way. A gap between ways to which one can walk is none of this.
    private func commonIsland(of places: [Coordinate], _ nearest: [GraphPlace]) -> [GraphPlace]? {
        let sizes = Set(nearest.map { island(of: $0.edge) }).map { (island: $0, edges: edgeCount(ofIsland: $0)) }
        guard sizes.count > 1, let largest = sizes.max(by: { $0.edges < $1.edges }) else { return nil }
        let isTiny = sizes.allSatisfy { $0.island == largest.island || $0.edges <= largest.edges / Self.tinyShare }
        guard isTiny else { return nil }
        var moved: [GraphPlace] = []
        for place in places {
            let found = self.nearest(to: place) { island(of: $0) == largest.island }
            guard let found, found.metres <= Self.islandDistance else { return nil }
            moved.append(found.place)
        }
        return moved
    }

    private func noWay(
        from index: Int,
        _ start: GraphPlace,
        to goal: GraphPlace,
        _ search: GraphSearch
    ) -> PlanningError {
        let reached = nearest(to: goal.coordinate) { edge in
            let properties = edges[edge]
            return edge == start.edge && start.node == nil
                || search.costs[Int(properties.from)] < .infinity && properties.cost < .infinity
                || search.costs[Int(properties.to)] < .infinity && properties.reverseCost < .infinity
        }
        let end = reached?.place.coordinate ?? start.coordinate
        return .noWay(from: index, reached: end, metres: Geodesy.distance(end, goal.coordinate))
    }

    private func way(_ legs: [GraphLeg], through places: [Coordinate], _ points: [GraphPlace]) throws -> PlannedWay {
        let pieces = legs.flatMap(\.pieces)
        guard pieces.reduce(0, { $0 + edges[$1.edge].pointCount }) <= Self.maximumPointCount else {
            throw RegionStoreError(
                .invalidArgument,
                "The way has more than \(Self.maximumPointCount) points.",
                remedy: "Plan it in several parts."
            )
        }
        var line = WayLine(of: self)
        for piece in pieces { line.append(piece) }
        // A way can end where it begins.
        if line.coordinates.isEmpty { line.coordinates = points.prefix(1).map(\.coordinate) }
        if line.coordinates.count == 1 { line.coordinates += line.coordinates }
        return PlannedWay(
            places: places,
            coordinates: line.coordinates,
            cost: legs.reduce(0) { $0 + $1.cost },
            distance: line.distance,
            ascent: line.ascent,
            descent: line.descent,
            profile: line.profile.count < 2 ? [] : line.profile,
            stretches: line.stretches,
            turns: TurnFinder.turns(of: line),
            isStraight: false
        )
    }
}

/// Why no way could be planned.
package enum PlanningError: Error, Hashable {
    /// The graph has nothing within 1 km of a place: its position in the list, and how far the nearest way is, in metres.
    case tooFar(place: Int, metres: Double)
    /// No way leads from a place to the next: where the ways from it come nearest to that one, and how many metres are missing.
    ///
    /// 0 metres are missing if the ways there must not be walked in the direction.
    case noWay(from: Int, reached: Coordinate, metres: Double)
    /// A way needs at least a start and an end.
    case tooFewPlaces
}
