public import FoundationEssentials

/// A region: what a hiker shares, without the files that hold it.
public struct Region: Hashable, Sendable, Identifiable {
    /// The zoom levels that there are.
    package static let possibleZoomLevels = 0...30

    /// The region's id, the same on every machine.
    public var id: UUID

    /// What the user calls it.
    public var name: String

    /// Its area.
    public var boundingBox: BoundingBox

    /// The zoom levels of its map, both ends included.
    public var zoomLevels: ClosedRange<Int>

    /// When it was first made.
    public var createdAt: Date

    /// How many tiles its map has.
    public var tileCount: Int

    /// How long the map's file is.
    public var fileSizeBytes: Int64

    /// Whether there is a routing database with it.
    public var hasRoutingData: Bool

    /// Creates a region; the zoom levels are cut to those that there are.
    package init(
        id: UUID,
        name: String,
        boundingBox: BoundingBox,
        zoomLevels: ClosedRange<Int>,
        createdAt: Date,
        tileCount: Int,
        fileSizeBytes: Int64,
        hasRoutingData: Bool
    ) {
        self.id = id
        self.name = name
        self.boundingBox = boundingBox
        self.zoomLevels = zoomLevels.clamped(to: Self.possibleZoomLevels)
        self.createdAt = createdAt
        self.tileCount = tileCount
        self.fileSizeBytes = fileSizeBytes
        self.hasRoutingData = hasRoutingData
    }
}

extension Region: Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case name
        case boundingBox
        case zoomLevels
        case minimumZoom = "minZoom"
        case maximumZoom = "maxZoom"
        case createdAt
        case tileCount
        case fileSizeBytes
        case hasRoutingData
    }

    /// Reads a region.
    ///
    /// OpenHiker's Android form is understood too: `minZoom` and `maxZoom` for `zoomLevels`, no time (1970 then) and no
    /// size (0 then). So is the form of old versions, without `hasRoutingData`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        name = try container.text(.name, atMost: ModelLimits.maximumNameLength)
        boundingBox = try container.decode(BoundingBox.self, forKey: .boundingBox)
        tileCount = try container.decode(Int.self, forKey: .tileCount)
        hasRoutingData = try container.decodeIfPresent(Bool.self, forKey: .hasRoutingData) ?? false

        let lowest: Int
        let highest: Int
        let zoomKey: CodingKeys
        if !container.contains(.zoomLevels), container.contains(.minimumZoom) {
            zoomKey = .minimumZoom
            lowest = try container.decode(Int.self, forKey: .minimumZoom)
            highest = try container.decode(Int.self, forKey: .maximumZoom)
            createdAt = try container.dateIfPresent(.createdAt) ?? Date(timeIntervalSince1970: 0)
            fileSizeBytes = try container.decodeIfPresent(Int64.self, forKey: .fileSizeBytes) ?? 0
        } else {
            zoomKey = .zoomLevels
            var levels = try container.nestedUnkeyedContainer(forKey: .zoomLevels)
            lowest = try levels.decode(Int.self)
            highest = try levels.decode(Int.self)
            createdAt = try container.date(.createdAt)
            fileSizeBytes = try container.decode(Int64.self, forKey: .fileSizeBytes)
        }
        guard lowest <= highest, Self.possibleZoomLevels.contains(lowest), Self.possibleZoomLevels.contains(highest)
        else { throw container.wrong(zoomKey, "is not a range of zoom levels between 0 and 30") }
        zoomLevels = lowest...highest
        guard (0...ModelLimits.maximumTileCount).contains(tileCount) else {
            throw container.wrong(.tileCount, "is not a count of tiles")
        }
        guard fileSizeBytes >= 0 else { throw container.wrong(.fileSizeBytes, "is not a size") }
    }

    /// Writes the region as OpenHiker does.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(boundingBox, forKey: .boundingBox)
        try container.encode([zoomLevels.lowerBound, zoomLevels.upperBound], forKey: .zoomLevels)
        try container.encode(date: createdAt, forKey: .createdAt)
        try container.encode(tileCount, forKey: .tileCount)
        try container.encode(fileSizeBytes, forKey: .fileSizeBytes)
        try container.encode(hasRoutingData, forKey: .hasRoutingData)
    }
}
