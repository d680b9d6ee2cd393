package import FoundationEssentials
import PeerStorage
package import RegionModel

/// The points of a track or a route as a file has them.
///
/// What a file does not say stays unknown: nothing is interpolated.
package struct Track: Hashable, Sendable {
    /// The points of all segments, in the order of the file.
    package var points: [TrackPoint]

    /// The indices of the points with which segments begin, in ascending order; the first is 0.
    package var segmentStarts: [Int]

    /// The values of sensors at the points.
    package var sensors: [TrackSensor: SensorValues]

    /// Creates a track; without segments, all points are one segment.
    package init(
        points: [TrackPoint] = [],
        segmentStarts: [Int] = [],
        sensors: [TrackSensor: SensorValues] = [:]
    ) {
        self.points = points
        self.segmentStarts = segmentStarts
        self.sensors = sensors
    }

    /// The ranges of the points of each segment; none is empty.
    package var segments: [Range<Int>] {
        guard !points.isEmpty else { return [] }
        let starts = segmentStarts.first == 0 ? segmentStarts : [0] + segmentStarts
        return starts.indices.compactMap { index in
            let end = index + 1 < starts.count ? min(starts[index + 1], points.count) : points.count
            return starts[index] < end ? starts[index]..<end : nil
        }
    }

    /// Returns a part of the track.
    package func part(_ range: Range<Int>) -> Track {
        let starts = segmentStarts.filter { range.contains($0) }.map { $0 - range.lowerBound }
        return Track(
            points: Array(points[range]),
            segmentStarts: starts.first == 0 ? starts : [0] + starts,
            sensors: sensors.mapValues { $0.part(range) }.filter { !$0.value.isEmpty }
        )
    }
}

/// A quantity that a device measures at the points of a track.
///
/// The raw value is the number of the column in a table of points.
package enum TrackSensor: UInt8, Hashable, Sendable, CaseIterable {
    /// Heart rate, in beats per minute.
    case heartRate = 5
    /// Cadence, in revolutions or steps per minute.
    case cadence = 6
    /// Air temperature, in degrees Celsius.
    case temperature = 7
    /// Speed, in metres per second.
    case speed = 8
    /// Horizontal dilution of precision; no unit.
    case horizontalDilution = 9
}

/// The values of a sensor, in thousandths of its unit.
package struct SensorValues: Hashable, Sendable {
    /// The values that can be stored.
    static let range: ClosedRange<Int64> = -2_000_000_000...2_000_000_000

    private static let missing = Int32.min

    // Points after the last value are not in the array.
    private var values: [Int32] = []

    /// Creates an empty collection.
    package init() {}

    /// Whether no point has a value.
    package var isEmpty: Bool { values.allSatisfy { $0 == Self.missing } }

    /// The value of a point; nil if it has none.
    package subscript(index: Int) -> Int64? {
        guard values.indices.contains(index), values[index] != Self.missing else { return nil }
        return Int64(values[index])
    }

    /// All known values.
    var known: some Sequence<Int64> { values.lazy.filter { $0 != Self.missing }.map { Int64($0) } }

    /// Sets the value of a point, if it is in ``range``.
    package mutating func set(_ value: Int64, at index: Int) {
        guard index >= 0, Self.range.contains(value), let value = Int32(exactly: value) else { return }
        if values.count <= index {
            values.append(contentsOf: repeatElement(Self.missing, count: index + 1 - values.count))
        }
        values[index] = value
    }

    /// Sets the value of a point, in its unit; returns whether it can be stored.
    mutating func set(unit value: Double, at index: Int) -> Bool {
        guard let thousandths = Int64(exactly: (value * 1000).rounded()), Self.range.contains(thousandths) else {
            return false
        }
        set(thousandths, at: index)
        return true
    }

    func part(_ range: Range<Int>) -> SensorValues {
        var part = SensorValues()
        for index in range {
            if let value = self[index] { part.set(value, at: index - range.lowerBound) }
        }
        return part
    }
}

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
