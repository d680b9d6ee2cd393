/// What a GPX file holds, in our terms.
public struct GPXDocument: Hashable, Sendable {
    /// What the file calls itself.
    public var name: String?

    /// Its waypoints (`wpt`).
    public var waypoints: [Waypoint]

    /// Its routes (`rte`).
    public var plannedRoutes: [PlannedRoute]

    /// Its tracks (`trk`).
    public var savedRoutes: [SavedRoute]

    /// Creates a document.
    public init(
        name: String? = nil,
        waypoints: [Waypoint] = [],
        plannedRoutes: [PlannedRoute] = [],
        savedRoutes: [SavedRoute] = []
    ) {
        self.name = name
        self.waypoints = waypoints
        self.plannedRoutes = plannedRoutes
        self.savedRoutes = savedRoutes
    }
}
