public import FoundationEssentials
package import PeerProtocol

/// What a store knows about a region, at a glance.
public struct RegionSummary: Hashable, Sendable, Identifiable {
    /// The region's id, the same on every machine.
    public var id: UUID

    /// What the region is called here.
    public var name: String

    /// The region's area.
    public var boundingBox: BoundingBox

    /// The zoom levels of its map, both ends included.
    public var zoomLevels: ClosedRange<Int>

    /// How many tiles its map has.
    public var tileCount: Int

    /// How many tiles its maker planned; more than there are if some failed to load.
    package var plannedTileCount: Int

    /// The format of its tiles, if it could be told.
    public var format: TileFormat?

    /// Whom its map asks to name.
    public var attribution: String?

    /// When it was first made.
    public var createdAt: Date

    /// The size of its map, in bytes.
    public var mapSize: UInt64

    /// The digest of its map.
    package var mapDigest: ContentDigest

    /// The size of its routing database, in bytes; nil if it has none.
    public var routingSize: UInt64?

    /// The digest of its routing database; nil if it has none.
    package var routingDigest: ContentDigest?

    /// How many recorded hikes it has.
    public var hikeCount: Int

    /// How many planned routes it has.
    public var plannedRouteCount: Int

    /// How many waypoints it has.
    public var waypointCount: Int

    /// How many of its waypoints have a photo here.
    public var photoCount: Int

    /// The size of its photos, in bytes.
    public var photoSize: UInt64

    /// Whether it has a routing database.
    public var hasRoutingData: Bool { routingSize != nil }

    /// The region as it is described to others.
    package var region: Region {
        Region(
            id: id,
            name: name,
            boundingBox: boundingBox,
            zoomLevels: zoomLevels,
            createdAt: createdAt,
            tileCount: plannedTileCount,
            fileSizeBytes: Int64(clamping: mapSize),
            hasRoutingData: hasRoutingData
        )
    }
}
