/// A part of a way that is of one kind.
package struct WayStretch: Hashable, Sendable {
    /// The kind.
    package var kind: WayKind
    /// The difficulty; nil if it is not known.
    package var sacScale: SACScale?
    /// How well the path can be seen; nil if it is not known.
    package var visibility: TrailVisibility?
    /// OpenStreetMap's key `surface`; nil if it is not known.
    package var surface: String?
    /// The name; nil if there is none.
    package var name: String?
    /// The distance of its beginning from the beginning of the way, in metres.
    package var start: Double
    /// The length, in metres.
    package var distance: Double
}

/// The kind of a way, by OpenStreetMap's key `highway`.
package enum WayKind: String, CaseIterable, Sendable {
    case path
    case footway
    case steps
    case track
    case bridleway
    case cycleway
    case viaFerrata
    case road
    case ferry
    /// Another kind, or an unknown one.
    case other
    /// A straight line, drawn without a graph.
    case straight

    /// Returns the kind of an edge with a `highway_type`.
    init(highwayType: String?) {
        switch highwayType {
        case "path", "footway", "steps", "track", "bridleway", "cycleway", "ferry":
            self = highwayType.flatMap(Self.init(rawValue:)) ?? .other
        case "pedestrian", "corridor": self = .footway
        case "via_ferrata": self = .viaFerrata
        case "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
            "secondary_link",
            "tertiary", "tertiary_link", "unclassified", "residential", "living_street", "service", "road", "busway":
            self = .road
        default: self = .other
        }
    }
}

/// The difficulty of a mountain path, by OpenStreetMap's key `sac_scale`: T1 to T6 of the Swiss Alpine Club.
package enum SACScale: String, CaseIterable, Comparable, Sendable {
    /// T1.
    case hiking
    /// T2.
    case mountainHiking = "mountain_hiking"
    /// T3.
    case demandingMountainHiking = "demanding_mountain_hiking"
    /// T4.
    case alpineHiking = "alpine_hiking"
    /// T5.
    case demandingAlpineHiking = "demanding_alpine_hiking"
    /// T6.
    case difficultAlpineHiking = "difficult_alpine_hiking"

    /// The number of the grade, from 1 to 6.
    package var grade: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    /// Returns whether a difficulty is less than another.
    package static func < (left: SACScale, right: SACScale) -> Bool { left.grade < right.grade }
}

/// How well a path can be seen, by OpenStreetMap's key `trail_visibility`; a greater value is worse to find.
package enum TrailVisibility: String, CaseIterable, Comparable, Sendable {
    case excellent
    case good
    case intermediate
    case bad
    case horrible
    /// There is no path to be seen.
    case no

    /// The number of the grade, from 0.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Returns whether a path is better to find than another.
    package static func < (left: TrailVisibility, right: TrailVisibility) -> Bool { left.rank < right.rank }
}
