import PeerProtocol

/// The kind of place that a waypoint marks.
#if compiler(>=6.3)
@nonexhaustive
#endif
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

    /// The English name of several places of the category.
    package var pluralName: String {
        switch self {
        case .trailMarker: "Trail markers"
        case .viewpoint: "Viewpoints and summits"
        case .waterSource: "Water"
        case .campsite: "Campsites"
        case .danger: "Dangers"
        case .food: "Food"
        case .shelter: "Huts and shelters"
        case .parking: "Parking"
        case .custom: "Other places"
        }
    }

    /// Finds the category that a person means: its name, what ``displayName`` and ``pluralName`` say, or a usual word.
    package init?(words: String) {
        func key(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
        let aliases: [String: Self] = [
            "hut": .shelter, "huts": .shelter, "summit": .viewpoint, "peak": .viewpoint, "spring": .waterSource,
            "camp": .campsite, "other": .custom,
        ]
        let found = Self.allCases.first { [$0.rawValue, $0.displayName, $0.pluralName].map(key).contains(key(words)) }
        guard let found = found ?? aliases[key(words)] else { return nil }
        self = found
    }

    /// The categories in the order of a guide book, without ``custom``, which is the last.
    package static let ordered: [Self] = [
        .shelter, .food, .waterSource, .viewpoint, .campsite, .parking, .trailMarker, .danger,
    ]

    /// Decodes a category.
    ///
    /// An unknown category becomes ``custom``, so that waypoints of newer programs are kept.
    public init(from decoder: any Decoder) throws { self = try Self(shortNameFrom: decoder) ?? .custom }
}
