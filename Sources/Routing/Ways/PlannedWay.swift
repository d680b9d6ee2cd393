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

    /// Creates a way.
    package init(
        places: [Coordinate],
        coordinates: [Coordinate],
        cost: Double,
        distance: Double,
        ascent: Double,
        descent: Double,
        profile: [ElevationSample],
        stretches: [WayStretch],
        turns: [TurnInstruction],
        isStraight: Bool
    ) {
        self.places = places
        self.coordinates = coordinates
        self.cost = cost
        self.distance = distance
        self.ascent = ascent
        self.descent = descent
        self.profile = profile
        self.stretches = stretches
        self.turns = turns
        self.isStraight = isStraight
    }

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

    /// The hardest stretch by its SAC scale, then by its visibility; nil if nothing is known of either.
    package var hardest: WayStretch? { nil }

    /// The kinds of the way and their lengths in metres, the longest first.
    package var composition: [(kind: WayKind, metres: Double)] { [] }

    /// Returns the way as a planned route of a region.
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
            start: places.first ?? coordinates[0],
            end: places.last ?? coordinates[0],
            viaPoints: Array(places.dropFirst().dropLast()),
            coordinates: coordinates,
            turnInstructions: turns,
            totalDistance: distance,
            estimatedDuration: pace.duration(distance: distance, ascent: ascent, descent: descent),
            elevationGain: ascent,
            elevationLoss: descent,
            createdAt: date,
            regionID: region,
            elevationProfile: profile.count < 2 ? nil : profile
        )
    }
}
