internal import RegionStore

/// A recorded hike or planned route as the map draws it: simplified, with an elevation profile.
struct MapLine {
    /// The simplified segments, each with at least two points.
    var segments: [[Coordinate]]
    /// The elevation profile; nil if the elevations are unknown.
    var profile: LineProfile?

    /// Draws a recorded hike; a track that cannot be read has only its two ends.
    init(of hike: SavedRoute, limit: Int) {
        let track = (try? hike.track()) ?? Track()
        self.init(track, limit: limit)
        if segments.isEmpty, hike.start != hike.end { segments = [[hike.start, hike.end]] }
    }

    /// Draws a planned route.
    init(of route: PlannedRoute, limit: Int) {
        // The profile knows the elevations of routes that do not come from a file with elevations.
        if let track = route.track, track.segments.count > 1 || track.points.contains(where: { $0.elevation != nil }) {
            self.init(track, limit: limit)
        } else {
            self.init(Self.track(of: route), limit: limit)
        }
    }

    private init(_ track: Track, limit: Int) {
        segments = []
        var samples: [LineProfile.Sample] = []
        var distance = 0.0
        for range in track.segments {
            let points = track.points[range]
            let places = points.map(\.coordinate)
            // Each segment gets its share of the points.
            let share = max(2, Int(Double(limit) * Double(places.count) / Double(track.points.count)))
            let kept = LineSimplifier.simplify(places, to: share)
            if kept.count > 1 { segments.append(kept.map { places[$0] }) }
            var previous: Coordinate?
            for point in points {
                if let previous { distance += Geodesy.distance(previous, point.coordinate) }
                previous = point.coordinate
                guard let elevation = point.elevation, elevation.isFinite else { continue }
                samples.append(.init(distance: distance, elevation: elevation, place: point.coordinate))
            }
        }
        profile = LineProfile(samples)
    }

    /// The points of a route with the elevations of its profile.
    private static func track(of route: PlannedRoute) -> Track {
        var profile = ElevationProfile(route.elevationProfile ?? [])
        var distance = 0.0
        var previous: Coordinate?
        return Track(
            points: route.coordinates.map { place in
                if let previous { distance += Geodesy.distance(previous, place) }
                previous = place
                return TrackPoint(coordinate: place, elevation: profile.elevation(at: distance))
            }
        )
    }
}
