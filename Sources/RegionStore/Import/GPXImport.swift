/// What came of importing a GPX file.
public struct GPXImport: Hashable, Sendable {
    /// The region that the items went to, with them.
    public var region: RegionSummary

    /// What became of the tracks.
    public var hikes: MergeCounts

    /// What became of the routes.
    public var plannedRoutes: MergeCounts

    /// What became of the waypoints.
    public var waypoints: MergeCounts
}
