package import FoundationEssentials
package import RegionModel

/// A way that was found, or drawn, through places.
package struct PlannedWay: Hashable, Sendable {
    /// The start, the via points and the end, as they were asked for.
    package var places: [Coordinate]
    /// The points of the whole line.
    ///
    /// It begins and ends where the graph is nearest to the start and the end.
    package var coordinates: [Coordinate]
    /// The cost, as OpenHiker computes it; 0 for straight lines.
    package var cost: Double
    /// The length, in metres.
    package var distance: Double
    /// The total ascent, in metres.
    package var ascent: Double
    /// The total descent, in metres; a positive number.
    package var descent: Double
    /// The elevation along the way; empty if it is not known.
    package var profile: [ElevationSample]
    /// The parts of one kind, in order; neighbours differ.
    package var stretches: [WayStretch]
    /// The turn instructions.
    package var turns: [TurnInstruction]
    /// Whether it was drawn without a graph.
    package var isStraight: Bool

    /// Returns straight lines through places.
    package static func straight(through places: [Coordinate]) -> PlannedWay {
        let distance = zip(places, places.dropFirst()).reduce(0.0) { $0 + Geodesy.distance($1.0, $1.1) }
        return PlannedWay(
            places: places,
            coordinates: places,
            cost: 0,
            distance: distance,
            ascent: 0,
            descent: 0,
            profile: [],
            stretches: [WayStretch(kind: .straight, start: 0, distance: distance)],
            turns: [],
            isStraight: true
        )
    }

    /// The hardest stretch by its SAC scale, then by its visibility, then the longest; nil if nothing is known of either.
    package var hardest: WayStretch? {
        func rank(_ stretch: WayStretch) -> (Int, Int, Double) {
            (stretch.sacScale?.grade ?? 0, stretch.visibility?.rank ?? 0, stretch.distance)
        }
        return stretches.filter { $0.sacScale != nil || $0.visibility != nil }.max { rank($0) < rank($1) }
    }

    /// The kinds of the way and their lengths in metres, the longest first.
    package var composition: [(kind: WayKind, metres: Double)] {
        WayKind.allCases.compactMap { kind in
            let metres = stretches.reduce(0) { $0 + ($1.kind == kind ? $1.distance : 0) }
            return metres > 0 ? (kind, metres) : nil
        }.sorted { $0.metres > $1.metres }
    }

    /// Returns the way as a planned route of a region, in OpenHiker's form.
    ///
    /// Of a line with more points than a route may have, the route has as many as it may.
    ///
    /// - Parameters:
    ///   - name: The name of the route.
    ///   - id: The id of the route.
    ///   - region: The id of the region.
    ///   - date: The time at which the route was created.
    ///   - pace: The pace by which the duration is estimated.
    package func route(
        called name: String,
        id: UUID,
        of region: UUID,
        at date: Date,
        pace: Pace = .din33466
    ) -> PlannedRoute {
        PlannedRoute(
            id: id,
            name: name,
            mode: .hiking,
            start: coordinates.first ?? .origin,
            end: coordinates.last ?? .origin,
            viaPoints: Array(places.dropFirst().dropLast()),
            coordinates: Self.thinned(coordinates, to: ModelLimits.maximumRoutePointCount),
            turnInstructions: turns,
            totalDistance: distance,
            estimatedDuration: pace.duration(distance: distance, ascent: ascent, descent: descent),
            elevationGain: ascent,
            elevationLoss: descent,
            createdAt: date,
            regionID: region,
            elevationProfile: profile.count < 2 ? nil : Self.thinned(profile, to: ModelLimits.maximumRoutePointCount)
        )
    }

    /// Returns every second, third… element and the last one, so that there are at most `limit`.
    private static func thinned<Element>(_ list: [Element], to limit: Int) -> [Element] {
        guard list.count > limit else { return list }
        let step = (list.count + limit - 2) / (limit - 1)
        return stride(from: 0, to: list.count - 1, by: step).map { list[$0] } + list.suffix(1)
    }
}
