public import FoundationEssentials

/// A point of a recorded track.
public struct TrackPoint: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate

    /// Metres above sea level, if known.
    public var elevation: Double?

    /// When, if known.
    public var time: Date?

    /// Creates a point.
    public init(coordinate: Coordinate, elevation: Double? = nil, time: Date? = nil) {
        self.coordinate = coordinate
        self.elevation = elevation
        self.time = time
    }
}
