import RegionModel

/// The parts of long lines, and what is computed of the points of a line.
extension TrackAssembly {
    /// Returns the name of a part of a line; nil for the number if the line is not divided.
    static func name(_ name: String, _ number: Int?) -> String {
        guard let number else { return name }
        let part = " (\(number))"
        return TrackTexts.cut(name, to: ModelLimits.maximumNameLength - part.utf8.count) + part
    }

    /// Divides a line with more points than can be sent; each part begins where the previous one ends.
    static func parts(
        of line: TrackContent.Line,
        atMost limit: Int
    ) -> some Sequence<(line: TrackContent.Line, number: Int?)> {
        let count = line.track.points.count
        let starts = count > limit ? Array(stride(from: 0, to: count - 1, by: limit - 1)) : [0]
        // One part after the other, because each is a copy.
        return starts.enumerated().lazy.map { number, start in
            starts.count == 1 ? (line, nil) : (line.part(start..<min(start + limit, count)), number + 1)
        }
    }

    /// Returns a position as the model keeps it: with seven digits of a degree, about a centimetre.
    static func rounded(_ coordinate: Coordinate) -> Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return Coordinate(latitude: rounded(coordinate.latitude), longitude: rounded(coordinate.longitude))
            ?? coordinate
    }

    /// Returns the elevations along a line; nil if fewer than two points have one.
    static func profile(_ points: [TrackPoint]) -> [ElevationSample]? {
        var profile: [ElevationSample] = []
        var distance = 0.0
        var previous = points.first?.coordinate
        for point in points {
            if let previous { distance += Geodesy.distance(previous, point.coordinate) }
            previous = point.coordinate
            if let elevation = point.elevation {
                profile.append(ElevationSample(distance: distance, elevation: elevation))
            }
        }
        return profile.count < 2 ? nil : profile
    }

    /// Returns the mode that the type of a line means.
    static func mode(_ type: String) -> RouteMode {
        let type = type.prefix(100).lowercased()
        return ["cycl", "bik", "mtb"].contains { type.contains($0) } ? .cycling : .hiking
    }
}
