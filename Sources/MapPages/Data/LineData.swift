internal import FoundationEssentials
internal import RegionStore

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

    /// Returns the points of a segment.
    static func points(of segment: [Double]) -> [(latitude: Double, longitude: Double)] {
        stride(from: 0, to: segment.count - 1, by: 2).map { (segment[$0], segment[$0 + 1]) }
    }

    init(_ hike: SavedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: hike, limits: limits), "hike", hike.id, hike.name, hike.totalDistance)
        comment = hike.comment.isEmpty ? nil : MapLimits.shorten(hike.comment, to: MapLimits.text)
        (ascent, descent) = (hike.elevationGain, hike.elevationLoss)
        if hike.startTime < hike.endTime { (startTime, endTime) = (hike.startTime, hike.endTime) }
        (walkingTime, restingTime) = (hike.walkingTime, hike.restingTime)
    }

    init(_ route: PlannedRoute, limits: MapLine.Limits) {
        self.init(MapLine(of: route, limits: limits), "planned", route.id, route.name, route.totalDistance)
        (ascent, descent) = (route.elevationGain, route.elevationLoss)
        duration = route.estimatedDuration
    }

    private init(_ line: MapLine, _ kind: String, _ id: UUID, _ name: String, _ distance: Double) {
        key = ItemKey.text(of: id)
        (self.kind, self.name, self.distance) = (kind, MapLimits.shownName(name), distance)
        (ascent, descent) = (0, 0)
        segments = line.segments.map { $0.flatMap { [$0.latitude.short, $0.longitude.short] } }
        profile = line.profile?.samples.map { sample in
            [
                sample.distance.rounded(), (sample.elevation * 10).rounded() / 10, sample.place.latitude.short,
                sample.place.longitude.short,
            ]
        }
    }
}

extension Double {
    /// The number of degrees, rounded to about a tenth of a metre.
    var short: Double { (self * 1e6).rounded() / 1e6 }
}
