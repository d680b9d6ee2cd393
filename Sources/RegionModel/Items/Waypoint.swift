public import FoundationEssentials
import PeerProtocol

/// A marked place.
public struct Waypoint: Hashable, Sendable, Identifiable {
    /// The waypoint's id.
    public var id: UUID

    /// The position.
    public var coordinate: Coordinate

    /// The elevation above sea level, in metres; nil if it is unknown. (`altitude` in JSON)
    public var elevation: Double?

    /// The time at which the waypoint was created (`timestamp` in JSON).
    public var time: Date

    /// A short name, possibly empty.
    public var label: String

    /// A longer text; possibly empty.
    public var note: String

    /// The kind of place.
    public var category: WaypointCategory

    /// Whether a photo of the waypoint exists on any machine; photos are a resource of their own.
    public var hasPhoto: Bool

    /// The hike during which the waypoint was created; nil if there is none.
    public var hikeID: UUID?

    /// The time of the last edit; nil if the waypoint was never edited.
    public var modifiedAt: Date?

    /// What a GPX file says of the waypoint beside all this.
    package var supplement: ItemSupplement

    package init(
        id: UUID,
        coordinate: Coordinate,
        elevation: Double? = nil,
        time: Date,
        label: String,
        note: String = "",
        category: WaypointCategory = .custom,
        hasPhoto: Bool = false,
        hikeID: UUID? = nil,
        modifiedAt: Date? = nil,
        supplement: ItemSupplement = ItemSupplement()
    ) {
        self.id = id
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
        self.label = label
        self.note = note
        self.category = category
        self.hasPhoto = hasPhoto
        self.hikeID = hikeID
        self.modifiedAt = modifiedAt
        self.supplement = supplement
    }
}

extension Waypoint: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, latitude, longitude
        case elevation = "altitude"
        case time = "timestamp"
        case label, note, category, hasPhoto
        case hikeID = "hikeId"
        case modifiedAt
        case words = "gpx"
    }

    /// Decodes a waypoint.
    ///
    /// An iCloud record id is ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        coordinate = try container.coordinate(.latitude, .longitude)
        elevation = try container.finiteIfPresent(.elevation)
        time = try container.date(.time)
        label = try container.text(.label, atMost: ModelLimits.maximumNameLength)
        note = try container.text(.note, atMost: ModelLimits.maximumTextLength)
        category = try container.decode(WaypointCategory.self, forKey: .category)
        hasPhoto = try container.decode(Bool.self, forKey: .hasPhoto)
        hikeID = try container.decodeIfPresent(UUID.self, forKey: .hikeID)
        modifiedAt = try container.dateIfPresent(.modifiedAt)
        supplement = ItemSupplement(words: try container.decodeIfPresent(ItemWords.self, forKey: .words))
    }

    /// Encodes the waypoint in the form of OpenHiker, without an iCloud record id.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(coordinate.latitude, forKey: .latitude)
        try container.encode(coordinate.longitude, forKey: .longitude)
        try container.encodeIfPresent(elevation, forKey: .elevation)
        try container.encode(date: time, forKey: .time)
        try container.encode(label, forKey: .label)
        try container.encode(note, forKey: .note)
        try container.encode(category, forKey: .category)
        try container.encode(hasPhoto, forKey: .hasPhoto)
        try container.encodeIfPresent(hikeID, forKey: .hikeID)
        try container.encodeIfPresent(date: modifiedAt, forKey: .modifiedAt)
        try container.encodeIfPresent(supplement.words, forKey: .words)
    }
}
