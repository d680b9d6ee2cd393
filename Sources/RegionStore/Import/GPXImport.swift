import PeerStorage

/// The result of the import of a GPX file.
public struct GPXImport: Hashable, Sendable {
    /// The region, with the imported items.
    public var region: RegionSummary

    /// The numbers of hikes, which are the tracks of the file with times.
    public var hikes: MergeCounts

    /// The numbers of planned routes, which are the routes of the file and its tracks without times.
    public var plannedRoutes: MergeCounts

    /// The numbers of waypoints.
    public var waypoints: MergeCounts

    /// Short descriptions of what the file has and the store does not keep, such as `1 track or route without points`.
    public var leftOut: [String] = []

    /// The number of points of the file, those of waypoints, routes and tracks together.
    public var pointCount = 0

    /// The number of points in the area of the region.
    public var pointsInArea = 0

    /// The number of points at 0° N, 0° E outside the area of the region.
    ///
    /// Programs put points there whose position they do not know.
    public var pointsAtZero = 0

    /// Whether most of the points are outside the area of the region.
    public var isOutsideArea: Bool { pointsInArea * 2 <= pointCount }
}
