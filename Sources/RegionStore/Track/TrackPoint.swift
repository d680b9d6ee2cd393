package import FoundationEssentials

/// A point of a recorded track.
package struct TrackPoint: Hashable, Sendable {
    /// Where.
    package var coordinate: Coordinate

    /// Metres above sea level, if known.
    package var elevation: Double?

    /// When, if known.
    package var time: Date?

    /// Creates a point.
    package init(coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
    }
}
