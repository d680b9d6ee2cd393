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
    var sealed: String?
    /// Whether nobody knows the area; nil if it is known.
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
        maximumZoom = region.sealed == nil ? region.zoomLevels.upperBound : Self.zoomWithoutTiles
        zooms = region.zooms
        format = region.format?.rawValue
        tileCount = region.tileCount
        mapSize = region.mapSize
        mapDate = region.mapDate
        isPart = region.cut.map { _ in true }
        wholeMapSize = region.cut.flatMap { $0.isSizeEstimated ? nil : $0.wholeSize }
        sealed = region.sealed.map { _ in PageWords.sealed(region) }
        isAreaUnknown = region.hasArea ? nil : true
        hikes = region.hikeCount
        plannedRoutes = region.plannedRouteCount
        waypoints = region.waypointCount
    }
}

/// A recorded hike or planned route.
///
/// The numbers are those of the store, which were computed from all points.
struct LineData: Codable {
    /// The name in addresses.
    var key: String
    /// `hike` or `planned`.
    var kind: String
    var name: String
    var comment: String?
    var distance: Double
    var ascent: Double
    var descent: Double
    var startTime: Date?
    var endTime: Date?
    var walkingTime: Double?
    var restingTime: Double?
    /// The estimated duration of a planned route.
    var duration: Double?
    /// Of each segment, latitudes and longitudes in turn.
    var segments: [[Double]]
    /// Distance, elevation, latitude and longitude of each sample.
    var profile: [[Double]]?

    init(_ hike: SavedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: hike, limits: limits), "hike", hike.id, hike.name, hike.totalDistance)
        comment = hike.comment.isEmpty ? nil : MapLimits.shorten(hike.comment, to: MapLimits.text)
        ascent = hike.elevationGain
        descent = hike.elevationLoss
        if hike.startTime < hike.endTime { (startTime, endTime) = (hike.startTime, hike.endTime) }
        walkingTime = hike.walkingTime
        restingTime = hike.restingTime
    }

    init(_ route: PlannedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: route, limits: limits), "planned", route.id, route.name, route.totalDistance)
        ascent = route.elevationGain
        descent = route.elevationLoss
        duration = route.estimatedDuration
    }

    private init(_ line: MapLine, _ kind: String, _ id: UUID, _ name: String, _ distance: Double) {
        key = ItemKey.text(of: id)
        self.kind = kind
        self.name = MapLimits.shownName(name)
        self.distance = distance
        ascent = 0
        descent = 0
        segments = line.segments.map { $0.flatMap { [$0.latitude.short, $0.longitude.short] } }
        profile = line.profile?.samples.map { sample in
            [
                sample.distance.rounded(), (sample.elevation * 10).rounded() / 10, sample.place.latitude.short,
                sample.place.longitude.short,
            ]
        }
    }
}

/// A waypoint.
struct WaypointData: Encodable {
    /// The name in addresses.
    var key: String
    var label: String
    var note: String?
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?

    init(_ waypoint: Waypoint) {
        key = ItemKey.text(of: waypoint.id)
        label = MapLimits.shownName(waypoint.label)
        note = waypoint.note.isEmpty ? nil : MapLimits.shorten(waypoint.note, to: MapLimits.text)
        category = waypoint.category.rawValue
        latitude = waypoint.coordinate.latitude.short
        longitude = waypoint.coordinate.longitude.short
        elevation = waypoint.elevation
    }
}

extension Double {
    /// The number of degrees, rounded to about a tenth of a metre.
    fileprivate var short: Double { (self * 1e6).rounded() / 1e6 }
}

/// The limits on what one page shows, so that a browser can show it.
enum MapLimits {
    /// The maximum number of lines.
    static let lines = 500
    /// The maximum number of points of one line.
    static let pointsOfLine = 10_000
    /// The maximum number of points of all lines together.
    static let points = 200_000
    /// The maximum number of samples of all elevation profiles together.
    static let samples = 100_000
    /// The maximum number of waypoints.
    static let waypoints = 5_000
    /// The maximum length of a name, in Unicode scalars.
    static let name = 300
    /// The maximum length of a comment or note, in Unicode scalars.
    static let text = 2_000
    /// The maximum length of all comments and notes together, in bytes.
    static let texts = 4_000_000

    /// Shortens a text; an ellipsis says so.
    static func shorten(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 1))) + "…"
    }

    /// Returns a name as it is shown: short, and with characters that turn the writing around as their numbers.
    ///
    /// They would show another name: `gpx.exe` could look like `exe.gpx`.
    static func shownName(_ text: String) -> String {
        let short = shorten(text, to: name)
        guard short.unicodeScalars.contains(where: turnsText) else { return short }
        return short.unicodeScalars.reduce(into: "") { result, scalar in
            if turnsText(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9).
    private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
    }
}
