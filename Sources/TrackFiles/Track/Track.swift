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

/// A quantity that a device measures; the raw value is the number of its column in a table of points.
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
