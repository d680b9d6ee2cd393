internal import RegionStore
internal import TrackFiles

/// A recorded hike or planned route as the map draws it: simplified, with an elevation profile.
struct MapLine {
    /// The limits on the points and samples of one line.
    struct Limits {
        /// The maximum number of points.
        var points: Int
        /// The maximum number of samples of the elevation profile.
        var samples: Int

        /// The limits on each of a number of lines.
        init(lines: Int) {
            points = min(MapLimits.pointsOfLine, MapLimits.points / max(1, lines))
            samples = min(LineProfile.maximumCount, MapLimits.samples / max(1, lines))
        }
    }

    /// The simplified segments, each with at least two points.
    var segments: [[Coordinate]]
    /// The elevation profile; nil if the elevations are unknown.
    var profile: LineProfile?

    /// Draws a recorded hike; a track that cannot be read has only its two ends.
    init(of hike: SavedRoute, limits: Limits) {
        let track = (try? hike.track()) ?? Track()
        self.init(track, length: hike.totalDistance, limits)
        if segments.isEmpty, hike.start != hike.end { segments = [[hike.start, hike.end]] }
    }

    /// Draws a planned route.
    init(of route: PlannedRoute, limits: Limits) {
        // The profile knows the elevations of routes that do not come from a file with elevations.
        if let track = route.track, track.segments.count > 1 || track.points.contains(where: { $0.elevation != nil }) {
            self.init(track, length: route.totalDistance, limits)
        } else {
            self.init(Self.track(of: route), length: route.totalDistance, limits)
        }
    }

    /// Draws a track whose length the store says, without drift at rest, and stretches the profile to it.
    private init(_ track: Track, length: Double, _ limits: Limits) {
        segments = []
        var samples: [LineProfile.Sample] = []
        var distance = 0.0
        for range in track.segments {
            let points = track.points[range]
            let places = points.map(\.coordinate)
            // Each segment gets its share of the points.
            let share = max(2, Int(Double(limits.points) * Double(places.count) / Double(track.points.count)))
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
        if distance > 0, length.isFinite, length > 0 {
            for index in samples.indices { samples[index].distance *= length / distance }
        }
        profile = LineProfile(samples, limit: limits.samples)
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
