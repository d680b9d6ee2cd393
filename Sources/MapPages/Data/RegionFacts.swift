internal import FoundationEssentials
internal import RegionStore

/// A region, for the map and for the list of regions.
struct RegionFacts: Encodable {
    var id: String
    var name: String
    var attribution: String?
    /// South, west, north, east; beyond 180° if the area crosses it, so that the east is always greater.
    var bounds: [Double]
    var minimumZoom: Int
    var maximumZoom: Int
    /// The zoom levels that have tiles, the lowest first.
    var zooms: [Int]
    var format: String?
    var tileCount: Int
    var mapSize: UInt64
    /// The date of the map, from its metadata.
    var mapDate: Date?
    /// When the map came into this store; only in the list of regions.
    var addedAt: Date?
    /// Whether the map is a part; nil if it is not.
    var isPart: Bool?
    /// The size of the whole map, if the map is a part and the size is known.
    var wholeMapSize: Int64?
    /// What the map is, if it is a file of another program, which is not drawn.
    var foreign: String?
    /// `true` if the area is unknown; otherwise nil.
    var isAreaUnknown: Bool?
    var hikes: Int
    var plannedRoutes: Int
    var waypoints: Int
    /// The highest zoom level at which the items are shown of a region whose map has no tiles.
    private static let zoomWithoutTiles = 16

    init(_ region: RegionSummary) {
        id = region.id.uuidString
        name = MapLimits.shownName(region.name)
        attribution = region.attribution.map { MapLimits.shorten($0, to: MapLimits.text) }
        let box = region.boundingBox
        bounds = [box.south, box.west, box.north, box.west + box.width]
        minimumZoom = region.zoomLevels.lowerBound
        maximumZoom = region.foreign == nil ? region.zoomLevels.upperBound : Self.zoomWithoutTiles
        zooms = region.zooms
        format = region.format?.rawValue
        tileCount = region.tileCount
        mapSize = region.mapSize
        mapDate = region.mapDate
        isPart = region.cut.map { _ in true }
        wholeMapSize = region.cut.flatMap { $0.isSizeEstimated ? nil : $0.wholeSize }
        foreign = region.foreign.map { _ in PageWords.foreign(region) }
        isAreaUnknown = region.hasArea ? nil : true
        hikes = region.hikeCount
        plannedRoutes = region.plannedRouteCount
        waypoints = region.waypointCount
    }
}
