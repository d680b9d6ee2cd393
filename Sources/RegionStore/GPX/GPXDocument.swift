/// The content of a GPX file in the types of the model.
package struct GPXDocument: Hashable, Sendable {
    /// The name in the metadata; nil if there is none.
    package var name: String?

    /// The waypoints (`wpt`).
    package var waypoints: [Waypoint]

    /// The routes (`rte`).
    package var plannedRoutes: [PlannedRoute]

    /// The tracks (`trk`).
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
