internal import FoundationEssentials
internal import RegionStore

/// The data of the page of one region, in the form that its script reads.
struct RegionData: Encodable {
    struct Category: Encodable {
        var id: String
        var name: String
    }

    var region: RegionFacts
    var lines: [LineData]
    var waypoints: [WaypointData]
    var categories: [Category]
    /// Sentences about what the page does not show.
    var leftOut: [String]

    /// Collects the data.
    ///
    /// - Parameters:
    ///   - content: The region with its items.
    ///   - photo: Returns the address of a waypoint's photo.
    init(_ content: RegionContent, photo: (Photo) -> String?) {
        region = RegionFacts(content.region)
        leftOut = []
        let hikes = content.hikes.suffix(MapLimits.lines)
        let routes = content.plannedRoutes.suffix(MapLimits.lines - hikes.count)
        let count = hikes.count + routes.count
        let limit = min(MapLimits.pointsOfLine, MapLimits.points / max(1, count))
        lines = hikes.map { LineData($0, limit: limit) } + routes.map { LineData($0, limit: limit) }
        let photos = Dictionary(content.photos.map { ($0.waypointID, $0) }) { first, _ in first }
        waypoints = content.waypoints.suffix(MapLimits.waypoints).map { waypoint in
            WaypointData(waypoint, photo: photos[waypoint.id].flatMap(photo))
        }
        categories = WaypointCategory.allCases.map { Category(id: $0.rawValue, name: $0.displayName) }
        let all = content.hikes.count + content.plannedRoutes.count
        if count < all { leftOut.append("Only \(count) of \(all) hikes and routes are shown, the newest.") }
        if waypoints.count < content.waypoints.count {
            leftOut.append("Only \(waypoints.count) of \(content.waypoints.count) waypoints are shown, the newest.")
        }
        if !content.unreadable.isEmpty {
            leftOut.append("Items that cannot be read are not shown: \(content.unreadable.count).")
        }
    }
}

/// A region, for the map and for the list of regions.
struct RegionFacts: Encodable {
    var id: String
    var name: String
    var attribution: String?
    /// South, west, north, east.
    var bounds: [Double]
    var minimumZoom: Int
    var maximumZoom: Int
    var format: String?
    var tileCount: Int
    var mapSize: UInt64
    var hikes: Int
    var plannedRoutes: Int
    var waypoints: Int

    init(_ region: RegionSummary) {
        id = region.id.uuidString
        name = MapLimits.shorten(region.name, to: MapLimits.name)
        attribution = region.attribution.map { MapLimits.shorten($0, to: MapLimits.text) }
        let box = region.boundingBox
        bounds = [box.south, box.west, box.north, box.east]
        minimumZoom = region.zoomLevels.lowerBound
        maximumZoom = region.zoomLevels.upperBound
        format = region.format?.rawValue
        tileCount = region.tileCount
        mapSize = region.mapSize
        hikes = region.hikeCount
        plannedRoutes = region.plannedRouteCount
        waypoints = region.waypointCount
    }
}

/// A recorded hike or planned route.
///
/// The numbers are those of the store, which were computed from all points.
struct LineData: Encodable {
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

    init(_ hike: SavedRoute, limit: Int) {
        self.init(MapLine(of: hike, limit: limit), "hike", hike.name, hike.totalDistance)
        comment = hike.comment.isEmpty ? nil : MapLimits.shorten(hike.comment, to: MapLimits.text)
        ascent = hike.elevationGain
        descent = hike.elevationLoss
        if hike.startTime < hike.endTime { (startTime, endTime) = (hike.startTime, hike.endTime) }
        walkingTime = hike.walkingTime
        restingTime = hike.restingTime
    }

    init(_ route: PlannedRoute, limit: Int) {
        self.init(MapLine(of: route, limit: limit), "planned", route.name, route.totalDistance)
        ascent = route.elevationGain
        descent = route.elevationLoss
        duration = route.estimatedDuration
    }

    private init(_ line: MapLine, _ kind: String, _ name: String, _ distance: Double) {
        self.kind = kind
        self.name = MapLimits.shorten(name, to: MapLimits.name)
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
    var label: String
    var note: String?
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?
    /// The address of the photo.
    var photo: String?

    init(_ waypoint: Waypoint, photo: String?) {
        label = MapLimits.shorten(waypoint.label, to: MapLimits.name)
        note = waypoint.note.isEmpty ? nil : MapLimits.shorten(waypoint.note, to: MapLimits.text)
        category = waypoint.category.rawValue
        latitude = waypoint.coordinate.latitude.short
        longitude = waypoint.coordinate.longitude.short
        elevation = waypoint.elevation
        self.photo = photo
    }
}

extension Double {
    /// The number of degrees, rounded to about a tenth of a metre.
    fileprivate var short: Double { (self * 1e6).rounded() / 1e6 }
}
