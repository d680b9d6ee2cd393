/// What a GPX file holds, in our terms.
package struct GPXDocument: Hashable, Sendable {
    /// What the file calls itself.
    package var name: String?

    /// Its waypoints (`wpt`).
    package var waypoints: [Waypoint]

    /// Its routes (`rte`).
    package var plannedRoutes: [PlannedRoute]

    /// Its tracks (`trk`).
    package var savedRoutes: [SavedRoute]

    /// Creates a document.
    package init(
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
