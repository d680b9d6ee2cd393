import FoundationEssentials
package import RegionModel

extension Track {
    /// How two forms of a track differ.
    package enum Difference: Sendable {
        /// Not at all, or only by digits that a program has cut off.
        case none
        /// By elevations or times.
        case values
        /// By points or segments.
        case points
    }

    /// Returns how the form of the track in a file differs from this one.
    ///
    /// What the file does not say of a point is no difference: many programs drop what they do not use.
    package func difference(from file: Track) -> Difference {
        guard points.count == file.points.count, segments == file.segments else { return .points }
        var difference = Difference.none
        for (point, other) in zip(points, file.points) {
            guard point.coordinate.isSamePlace(as: other.coordinate) else { return .points }
            if !point.hasSameValues(as: other) { difference = .values }
        }
        return difference
    }
}

extension Coordinate {
    // Six decimals, as many programs write them, are 11 cm.
    private static let tolerance = 1e-6

    /// Returns whether another position is the same one, perhaps with fewer decimals.
    package func isSamePlace(as other: Coordinate) -> Bool {
        let distance = abs(longitude - other.longitude)
        return abs(latitude - other.latitude) <= Self.tolerance && min(distance, 360 - distance) <= Self.tolerance
    }
}

extension TrackPoint {
    private func hasSame(_ one: Double?, _ other: Double?, within tolerance: Double) -> Bool {
        guard let one, let other else { return true }
        return abs(one - other) <= tolerance
    }

    /// Returns whether another form of the point has the same elevation and time, as far as both have them.
    ///
    /// Some programs write whole metres and whole seconds.
    package func hasSameValues(as other: TrackPoint) -> Bool {
        hasSame(elevation, other.elevation, within: 0.5)
            && hasSame(time?.timeIntervalSince1970, other.time?.timeIntervalSince1970, within: 0.999)
    }
}
