package import FoundationEssentials
import PeerStorage
import RegionModel

/// The statistics of a track.
package struct TrackStatistics: Hashable, Sendable {
    /// The length in metres, along great circles from point to point, without drift at rest.
    package var distance: Double

    /// The total ascent, in metres.
    package var elevationGain: Double

    /// The total descent, in metres; a positive number.
    package var elevationLoss: Double

    /// The time in motion, in seconds.
    package var walkingTime: Double

    /// The time at rest, in seconds.
    package var restingTime: Double

    /// The first known time; nil if there is none.
    package var startTime: Date?

    /// The last known time; nil if there is none.
    package var endTime: Date?

    /// Computes the statistics of a track, segment by segment.
    ///
    /// - A device does not record between segments: the way from one to the next does not count, and the time between them is time
    ///   at rest. Without two times, all times are 0.
    /// - A rest is a stretch of at least 60 s below 0.3 m/s. Speed is measured between points at least 30 s apart:
    ///   over a second, a receiver's drift looks like walking. For the same reason a rest is as long as the straight
    ///   line from its first point to its last.
    /// - Climbs and descents count from turning point to turning point; a turn of less than 5 m is noise.
    package init(_ track: Track) {
        let times = track.points.lazy.compactMap(\.time)
        let (first, last) = (times.min(), times.max())
        (startTime, endTime) = (first, last)
        (distance, elevationGain, elevationLoss, walkingTime) = (0, 0, 0, 0)
        for range in track.segments {
            let points = Array(track.points[range])
            let rests = Self.rests(points)
            distance += Self.distance(points, rests)
            let climb = Climb(points.lazy.compactMap(\.elevation))
            elevationGain += climb.gain
            elevationLoss += climb.loss
            guard let start = points.lazy.compactMap(\.time).first,
                let end = points.last(where: { $0.time != nil })?.time,
                start < end
            else { continue }
            walkingTime += max(0, end.timeIntervalSince(start) - rests.reduce(0) { $0 + $1.duration })
        }
        let duration = first.flatMap { last?.timeIntervalSince($0) } ?? 0
        walkingTime = min(walkingTime, duration)
        restingTime = duration - walkingTime
    }

    /// Returns the estimated time on foot, in seconds: 5 km per hour, and one hour for each 600 m of ascent.
    package static func estimatedDuration(distance: Double, elevationGain: Double) -> Double {
        distance / 5000 * 3600 + elevationGain / 600 * 3600
    }

    private struct Rest {
        var first: Int
        var last: Int
        var duration: Double
    }

    private static func rests(_ points: [TrackPoint]) -> [Rest] {
        var rests: [Rest] = []
        var current: Rest?
        var last: (index: Int, time: Date)?
        for (index, point) in points.enumerated() {
            guard let time = point.time else { continue }
            guard let start = last else {
                last = (index, time)
                continue
            }
            let duration = time.timeIntervalSince(start.time)
            guard duration >= 30 else { continue }
            if Geodesy.distance(points[start.index].coordinate, point.coordinate) < 0.3 * duration {
                current = Rest(
                    first: current?.first ?? start.index,
                    last: index,
                    duration: (current?.duration ?? 0) + duration
                )
            } else if let rest = current {
                rests.append(rest)
                current = nil
            }
            last = (index, time)
        }
        if let current { rests.append(current) }
        return rests.filter { $0.duration >= 60 }
    }

    private static func distance(_ points: [TrackPoint], _ rests: [Rest]) -> Double {
        var sum = 0.0
        var index = 0
        var remaining = rests[...]
        while index + 1 < points.count {
            var next = index + 1
            if let rest = remaining.first, rest.first == index {
                next = max(next, rest.last)
                remaining.removeFirst()
            }
            sum += Geodesy.distance(points[index].coordinate, points[next].coordinate)
            index = next
        }
        return sum
    }
}

/// Gain and loss of a sequence of elevations, without the noise.
private struct Climb {
    // A receiver without a barometer wanders by this much while it lies on a table.
    private static let threshold = 5.0

    private(set) var gain = 0.0
    private(set) var loss = 0.0

    /// Adds up the way between turning points; a turn counts once it is left by the threshold.
    init(_ elevations: some Sequence<Double>) {
        var turn: Double?
        var lowest = 0.0
        var highest = 0.0
        var isRising: Bool?
        for elevation in elevations {
            guard let start = turn else {
                (turn, lowest, highest) = (elevation, elevation, elevation)
                continue
            }
            lowest = min(lowest, elevation)
            highest = max(highest, elevation)
            switch isRising {
            case true?:
                guard highest - elevation >= Self.threshold else { continue }
                gain += highest - start
                (turn, lowest, isRising) = (highest, elevation, false)
            case false?:
                guard elevation - lowest >= Self.threshold else { continue }
                loss += start - lowest
                (turn, highest, isRising) = (lowest, elevation, true)
            case nil:
                if elevation - lowest >= Self.threshold {
                    (turn, highest, isRising) = (lowest, elevation, true)
                } else if highest - elevation >= Self.threshold {
                    (turn, lowest, isRising) = (highest, elevation, false)
                }
            }
        }
        guard let turn, let isRising else { return }
        if isRising { gain += highest - turn } else { loss += turn - lowest }
    }
}
