package import FoundationEssentials
import PeerStorage
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

    /// The ids of the items of which the file has only the beginning, because it ends early.
    package var cut: Set<UUID> = []

    /// The number of points at 0° N, 0° E, which is where programs put points without a position.
    package var pointsAtZero = 0

    /// Short descriptions of what the file has and the document does not.
    package var leftOut: [String] = []

    /// Why the document may lack a part of what the file once had; nil if the file is whole.
    package var damage: TrackFileDamage?

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
    /// The points of the hike in a GPX file.
    ///
    /// A hike without a track still has two ends.
    ///
    /// - Throws: `RegionStoreError` `invalidFile` if the track cannot be read.
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

/// What a GPX file may hold.
package struct GPXLimits: Hashable, Sendable {
    /// The limits on a file that a person imports.
    package static let file = GPXLimits()

    /// The limits on a file that another machine uploads: it is read before a person has agreed to it.
    package static let upload = GPXLimits(
        fileSize: 16_000_000,
        pointCount: 100_000,
        waypointCount: 2000,
        heldLength: 16 << 20
    )

    /// The maximum size, in bytes.
    package var fileSize = 200_000_000

    /// The maximum number of points, those of waypoints, routes and tracks together.
    package var pointCount = 1_000_000

    /// The maximum number of waypoints.
    package var waypointCount = ModelLimits.maximumItemCount

    /// The maximum memory of the content, in bytes, as estimated.
    package var heldLength = 100 << 20

    /// The maximum memory of the texts of points of one route, in bytes; further texts are left out.
    var pointTextLength: Int { heldLength / 8 }
}
