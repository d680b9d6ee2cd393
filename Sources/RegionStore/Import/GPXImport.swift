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

    /// Whether most of the items are outside the area of the region.
    public var isOutsideArea = false
}
