import PeerStorage
package import RegionModel

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
