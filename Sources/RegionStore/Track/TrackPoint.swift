package import FoundationEssentials

/// A point of a recorded track.
package struct TrackPoint: Hashable, Sendable {
    /// The position.
    package var coordinate: Coordinate

    /// The elevation above sea level, in metres; nil if it is unknown.
    package var elevation: Double?

    /// The time; nil if it is unknown.
    package var time: Date?

    /// Creates a point.
    package init(coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
    }
}
