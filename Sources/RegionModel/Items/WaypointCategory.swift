import PeerProtocol

/// The kind of place that a waypoint marks.
public enum WaypointCategory: String, Hashable, Sendable, Codable, CaseIterable {
    /// A sign or mark of the trail.
    case trailMarker
    /// A viewpoint or a summit.
    case viewpoint
    /// Drinking water.
    case waterSource
    /// A place to camp.
    case campsite
    /// A danger.
    case danger
    /// A place with food.
    case food
    /// A hut or other shelter.
    case shelter
    /// A car park.
    case parking
    /// Any other place.
    case custom

    /// The English name of the category.
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

    /// Decodes a category.
    ///
    /// An unknown category becomes ``custom``, so that waypoints of newer programs are kept.
    public init(from decoder: any Decoder) throws {
        self = try Self(shortNameFrom: decoder) ?? .custom
    }
}
