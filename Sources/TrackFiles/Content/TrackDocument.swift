package import FoundationEssentials
import PeerStorage
package import RegionModel

/// The content of a file of tracks in the types of the model.
package struct TrackDocument: Hashable, Sendable {
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

    /// The ids of the items whose ends are missing, because the file ends early.
    package var cut: Set<UUID> = []

    /// The number of points at 0° N, 0° E, which is where programs put points without a position.
    package var pointsAtZero = 0

    /// Short descriptions of what the file has and the document does not.
    package var leftOut: [String] = []

    /// Why the document may lack a part of what the file once had; nil if the file is whole.
    package var damage: TrackFileDamage?

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

// The points of items in a GPX file, also of those that do not come from one.

extension PlannedRoute {
    /// The points of the route in a GPX file.
    ///
    /// A route without a line still has places that it leads to. The elevations of a route that does not come from a file are
    /// looked up in its profile.
    package var fileTrack: Track {
        if let track { return track }
        var profile = ElevationProfile(elevationProfile ?? [])
        var distance = 0.0
        var coordinates = coordinates
        if coordinates.isEmpty { coordinates = [start] + viaPoints + [end] }
        if coordinates.count == 2, coordinates[0] == coordinates[1] { coordinates.removeLast() }
        var previous = coordinates.first
        return Track(
            points: coordinates.map { coordinate in
                if let previous { distance += Geodesy.distance(previous, coordinate) }
                previous = coordinate
                return TrackPoint(coordinate: coordinate, elevation: profile.elevation(at: distance))
            }
        )
    }
}

extension SavedRoute {
    /// The points of the hike in a GPX file; without a track, its two ends.
    package var fileTrack: Track {
        get throws(RegionStoreError) {
            var track = try track()
            guard track.points.isEmpty else { return track }
            track.points = [TrackPoint(coordinate: start, time: startTime)]
            if end != start { track.points.append(TrackPoint(coordinate: end, time: endTime)) }
            return track
        }
    }
}
