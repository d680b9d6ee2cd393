import PeerProtocol

/// What a waypoint marks.
public enum WaypointCategory: String, Hashable, Sendable, Codable, CaseIterable {
    /// A sign or mark of the trail.
    case trailMarker
    /// A view, a summit.
    case viewpoint
    /// Water to drink.
    case waterSource
    /// A place to camp.
    case campsite
    /// A danger.
    case danger
    /// Something to eat.
    case food
    /// A hut or other shelter.
    case shelter
    /// A place to leave a car.
    case parking
    /// Anything else.
    case custom

    /// What a person reads, in English.
    public var displayName: String {
        switch self {
        case .trailMarker: "Trail Marker"
        case .viewpoint: "Viewpoint"
        case .waterSource: "Water"
        case .campsite: "Campsite"
        case .danger: "Danger"
        case .food: "Food"
        case .shelter: "Shelter"
        case .parking: "Parking"
        case .custom: "Custom"
        }
    }

    /// Reads a category; one that is not known is ``custom``, so that a newer program's waypoints are not lost.
    public init(from decoder: any Decoder) throws {
        self = try Self(shortNameFrom: decoder) ?? .custom
    }
}
