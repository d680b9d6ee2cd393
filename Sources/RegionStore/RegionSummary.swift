public import FoundationEssentials
public import MapFiles
package import PeerProtocol
public import RegionModel

/// A region of a store, without its items.
///
/// ```swift
/// let region = try store.region(matching: "coma")
/// print("\(region.name), zoom levels \(region.zoomLevels), \(region.mapSize) bytes")
/// ```
public struct RegionSummary: Hashable, Sendable, Identifiable {
    /// The region's id, the same on every machine.
    public var id: UUID

    /// The name of the region in this store.
    public var name: String

    /// The region's area.
    public var boundingBox: BoundingBox

    /// The bytes of the map's coverage; nil if it is not known.
    ///
    /// They are read when they are needed, because a store may have many regions.
    package var coverageBytes: [UInt8]?

    /// The lowest and the highest zoom level of the map; it may have no tiles of levels between them (``zooms``).
    public var zoomLevels: ClosedRange<Int>

    /// The number of tiles of the map.
    public var tileCount: Int

    /// The number of tiles that the map was planned to have; larger than ``tileCount`` if some are missing.
    package var plannedTileCount: Int

    /// The format of the tiles; nil if it is unknown.
    public var format: TileFormat?

    /// The attribution that the map requires, as plain text; nil if it requires none.
    public var attribution: String?

    /// The time at which the map was first imported on any machine.
    public var createdAt: Date

    /// The time at which the map came into this store.
    public var addedAt: Date

    /// How old the map is, as its metadata say.
    package var edition = MapEdition()

    /// The date of the map, from its metadata; nil if the metadata have none.
    public var mapDate: Date? {
        get { edition.date }
        set { edition.date = newValue }
    }

    /// What the map is a part of; nil for a whole map.
    package var cut: CutDescription?

    /// The file of another program that is the map; nil if the map has tiles.
    package var foreign: ForeignMap?

    /// The signature that the store has for the region, in JSON; nil if it has none.
    ///
    /// It may be one of another map (``signature``).
    var signatureText: String?

    /// The size of the map, in bytes.
    public var mapSize: UInt64

    package var mapDigest: ContentDigest

    /// The size of the routing database, in bytes; nil if the region has none.
    public var routingSize: UInt64?

    /// The digest of the routing database; nil if the region has none.
    package var routingDigest: ContentDigest?

    /// The number of recorded hikes.
    public var hikeCount: Int

    /// The number of planned routes.
    public var plannedRouteCount: Int

    /// The number of waypoints.
    public var waypointCount: Int

    /// The number of photos in this store.
    public var photoCount: Int

    /// The total size of the photos, in bytes.
    public var photoSize: UInt64

    /// Whether the region has a routing database.
    public var hasRoutingData: Bool { routingSize != nil }

    /// Where the map has tiles; nil if that is not known.
    package var coverage: Coverage? { coverageBytes.flatMap(Coverage.init(bytes:)) }

    /// Who has imported this very map and signed it; nil if it is not known.
    ///
    /// It is checked each time that it is needed, because a check takes longer than to read the region. Whatever has changed the
    /// map, its signature does not outlive it.
    package var signature: MapSignature? {
        signatureText.flatMap(RegionRecord.signature).flatMap { $0.isValid(for: mapDigest) ? $0 : nil }
    }

    /// Where the map is.
    package var place: MapPlace { MapPlace(area: boundingBox, coverage: coverage) }

    /// The zoom levels that have tiles, the lowest first; none if the map is the file of another program.
    public var zooms: [Int] { foreign == nil ? coverage?.zoomLevels ?? Array(zoomLevels) : [] }

    /// Whether the area is known.
    package var hasArea: Bool { foreign?.hasArea ?? true }

    package var mapKind: ResourceKind { foreign == nil ? .mbtiles : .foreign }

    /// The description of the region in an offer.
    package var region: Region {
        Region(
            id: id,
            name: name,
            boundingBox: boundingBox,
            zoomLevels: zoomLevels,
            createdAt: createdAt,
            tileCount: plannedTileCount,
            fileSizeBytes: Int64(clamping: mapSize),
            hasRoutingData: hasRoutingData,
            edition: edition,
            coverage: coverage,
            cut: cut,
            foreign: foreign,
            signature: signature
        )
    }
}
