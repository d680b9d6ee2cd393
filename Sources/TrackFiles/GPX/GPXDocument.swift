package import FoundationEssentials
package import RegionModel

/// The content of a GPX file in the types of the model.
package struct GPXDocument: Hashable, Sendable {
    /// The name in the metadata; nil if there is none.
    package var name: String?

    /// The waypoints (`wpt`).
    package var waypoints: [Waypoint]

    /// The routes (`rte`), and the tracks (`trk`) without times.
    package var plannedRoutes: [PlannedRoute]

    /// The tracks (`trk`) with times.
    package var savedRoutes: [SavedRoute]

    /// The ids of the items that have no name in the file: theirs is made of the name of the file or a number.
    package var unnamed: Set<UUID> = []

    /// The number of points at 0° N, 0° E, which is where programs put points without a position.
    package var pointsAtZero = 0

    /// Short descriptions of what the file has and the document does not.
    package var leftOut: [String] = []

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
