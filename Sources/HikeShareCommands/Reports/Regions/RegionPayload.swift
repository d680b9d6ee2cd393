import FoundationEssentials
import PeerCore
import RegionStore

/// A region in JSON.
struct RegionPayload: Encodable {
    var type = "region"
    var id: String
    var name: String
    var bounds: BoundingBox
    var minimumZoom: Int
    var maximumZoom: Int
    var tiles: Int
    var format: String?
    var attribution: String?
    var createdAt: Date
    var mapSize: UInt64
    var mapDigest: String
    var routingSize: UInt64?
    var hikes: Int
    var plannedRoutes: Int
    var waypoints: Int
    var photos: Int
    var photoSize: UInt64

    init(_ region: RegionSummary) {
        id = region.id.uuidString
        name = region.name
        bounds = region.boundingBox
        minimumZoom = region.zoomLevels.lowerBound
        maximumZoom = region.zoomLevels.upperBound
        tiles = region.tileCount
        format = region.format?.rawValue
        attribution = region.attribution
        createdAt = region.createdAt
        mapSize = region.mapSize
        mapDigest = region.mapDigest.hex
        routingSize = region.routingSize
        hikes = region.hikeCount
        plannedRoutes = region.plannedRouteCount
        waypoints = region.waypointCount
        photos = region.photoCount
        photoSize = region.photoSize
    }
}

extension RegionSummary {
    /// The start of the id, as it is shown and can be typed.
    var shortID: String { String(id.uuidString.prefix(8)) }

    /// The size of its files and photos.
    var fileSize: UInt64 { mapSize + (routingSize ?? 0) + photoSize }

    /// What it has, in words: `map, routing, 1 recorded hike, 46 waypoints`.
    var contents: String {
        parts.map { $0.counted($1) }.joined(separator: ", ")
    }

    /// What it has, in a list: `map, routing, 1 hike, 46 waypoints`.
    var shortContents: String {
        parts.map { ($0.shortlyCounted ?? $0.counted)($1) }.joined(separator: ", ")
    }

    /// Whether it has recorded hikes, planned routes or waypoints.
    var hasItems: Bool { !items.isEmpty }

    /// Its recorded hikes, planned routes and waypoints, in a sentence: `1 recorded hike and 46 waypoints`.
    var itemWords: String {
        Wording.list(items.map { $0.counted($1) })
    }

    /// What goes with it that is in no file of its own, in a sentence; empty if nothing does.
    func losses(hasGPX: Bool) -> String {
        let lost = parts.filter { words, _ in !words.isFile && !(hasGPX && words.isInGPX) }
        return Wording.list(lost.map { $0.counted($1) })
    }

    private var items: [(KindWords, Int)] {
        parts.filter { words, _ in words.isInGPX }
    }

    private var parts: [(KindWords, Int)] {
        KindWords.all.map { ($0, $0.count(self)) }.filter { $0.1 > 0 }
    }
}
