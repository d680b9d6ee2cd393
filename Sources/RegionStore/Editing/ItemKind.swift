package import PeerProtocol
import RegionModel

/// A kind of items that a person can name, rename and remove one by one.
package enum ItemKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// Recorded hikes.
    case hike
    /// Planned routes.
    case plannedRoute
    case waypoint

    /// The name of one item in messages, such as `recorded hike`.
    package var noun: String {
        switch self {
        case .hike: "recorded hike"
        case .plannedRoute: "planned route"
        case .waypoint: "waypoint"
        }
    }

    /// The name of several items in messages.
    package var pluralNoun: String { noun + "s" }

    /// The kind of the resource that holds the items.
    package var resourceKind: ResourceKind {
        switch self {
        case .hike: .savedroutes
        case .plannedRoute: .plannedroutes
        case .waypoint: .waypoints
        }
    }

    var tableName: String { rawValue }

    var nameColumn: String { self == .waypoint ? "label" : "name" }

    /// The column with the time of the creation, by which items are sorted.
    var timeColumn: String {
        switch self {
        case .hike: SavedRoute.orderColumn
        case .plannedRoute: PlannedRoute.orderColumn
        case .waypoint: Waypoint.orderColumn
        }
    }

    /// The columns of ``ItemDescription``, in SQL.
    var descriptionColumns: String {
        self == .waypoint
            ? "id, label AS name, latitude, longitude, NULL AS distance"
            : "id, name, startLatitude AS latitude, startLongitude AS longitude, totalDistance AS distance"
    }
}
