internal import FoundationEssentials
internal import RegionStore

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
        name = MapLimits.shownName(region.name)
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

    init(_ hike: SavedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: hike, limits: limits), "hike", hike.name, hike.totalDistance)
        comment = hike.comment.isEmpty ? nil : MapLimits.shorten(hike.comment, to: MapLimits.text)
        ascent = hike.elevationGain
        descent = hike.elevationLoss
        if hike.startTime < hike.endTime { (startTime, endTime) = (hike.startTime, hike.endTime) }
        walkingTime = hike.walkingTime
        restingTime = hike.restingTime
    }

    init(_ route: PlannedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: route, limits: limits), "planned", route.name, route.totalDistance)
        ascent = route.elevationGain
        descent = route.elevationLoss
        duration = route.estimatedDuration
    }

    private init(_ line: MapLine, _ kind: String, _ name: String, _ distance: Double) {
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
    var label: String
    var note: String?
    var category: String
    var latitude: Double
    var longitude: Double
    var elevation: Double?

    init(_ waypoint: Waypoint) {
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
