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
        case "path": self = .path
        case "footway", "pedestrian", "corridor": self = .footway
        case "steps": self = .steps
        case "track": self = .track
        case "bridleway": self = .bridleway
        case "cycleway": self = .cycleway
        case "via_ferrata": self = .viaFerrata
        case "ferry": self = .ferry
        case "motorway", "motorway_link", "trunk", "trunk_link", "primary", "primary_link", "secondary",
            "secondary_link",
            "tertiary", "tertiary_link", "unclassified", "residential", "living_street", "service", "road", "busway":
            self = .road
        default: self = .other
        }
    }
}
