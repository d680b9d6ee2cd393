import FoundationEssentials
import PeerStorage
import RegionModel

/// The waypoints and lines of a file as it has them, in the terms of GPX, before their conversion into items.
package enum TrackContent {
    /// The texts of a point, route or track.
    package struct Words: Hashable {
        var name = ""
        package var comment = ""
        package var description = ""
        var symbol = ""
        var type = ""
        var color = ""
        var icon = ""
        var links: [ItemLink] = []

        /// Creates texts, all empty.
        package init() {}

        /// Whether there is a text that a route point can keep.
        var hasTexts: Bool {
            [name, comment, description, symbol, type].contains { $0.utf8.contains { $0 > 0x20 } }
        }
    }

    /// The texts of a point of a route or track.
    struct PointWords {
        var index: Int
        var words: Words
    }

    /// A `wpt`.
    struct Waypoint {
        var point: TrackPoint
        var words: Words
        var identity: GPXIdentity?
    }

    /// The element of a line.
    enum LineElement {
        case route, track
    }

    /// A `rte` or `trk`.
    struct Line {
        var element = LineElement.route
        var words = Words()
        var track = Track()
        var pointWords: [PointWords] = []
        var identity: GPXIdentity?
        /// Whether a point has a time.
        var hasTimes = false

        /// Whether the line is a recorded hike: it is a track with at least one time.
        ///
        /// A track of an exported file is what it was in the store. All other tracks are planned routes.
        var isHike: Bool { element == .track && (identity.map { $0.kind == .hike } ?? hasTimes) }

        /// Returns a part of the line.
        func part(_ range: Range<Int>) -> Line {
            Line(
                element: element,
                words: words,
                track: track.part(range),
                pointWords: pointWords.filter { range.contains($0.index) }.map {
                    PointWords(index: $0.index - range.lowerBound, words: $0.words)
                },
                hasTimes: hasTimes
            )
        }
    }
}

extension TrackContent.Line {
    /// Begins a segment with the next point.
    mutating func beginSegment() {
        if track.segmentStarts.last != track.points.count { track.segmentStarts.append(track.points.count) }
    }

    /// Adds a point.
    mutating func append(
        _ point: TrackPoint,
        _ sensors: [(sensor: TrackSensor, value: Double)] = [],
        _ leftOut: inout TrackOmissions
    ) {
        let index = track.points.count
        track.points.append(point)
        if point.time != nil { hasTimes = true }
        for (sensor, value) in sensors {
            let isSet = track.sensors[sensor, default: SensorValues()].set(unit: value, at: index)
            if !isSet { leftOut[.badSensor] += 1 }
        }
    }

    /// The line with its segments, none of them empty; nil if it has no points.
    var complete: TrackContent.Line? {
        guard !track.points.isEmpty else { return nil }
        var line = self
        while line.track.segmentStarts.last == track.points.count { line.track.segmentStarts.removeLast() }
        if line.track.segmentStarts.first != 0 { line.track.segmentStarts.insert(0, at: 0) }
        return line
    }
}
