/// The result of the import of a GPX file.
public struct GPXImport: Hashable, Sendable {
    /// The region, with the imported items.
    public var region: RegionSummary

    /// The numbers of hikes, which are the tracks of the file.
    public var hikes: MergeCounts

    /// The numbers of planned routes, which are the routes of the file.
    public var plannedRoutes: MergeCounts

    /// The numbers of waypoints.
    public var waypoints: MergeCounts
}
