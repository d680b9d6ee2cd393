package import FoundationEssentials
package import RegionModel

/// A point of a recorded track.
package struct TrackPoint: Hashable, Sendable {
    /// The elevations that are possible: from below the deepest trench to space, in metres above the sea.
    static let elevations = -12_000.0...100_000.0

    package var coordinate: Coordinate

    /// The elevation above sea level, in metres; nil if it is unknown.
    package var elevation: Double?
    package var time: Date?

    package init(coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
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
