import FoundationEssentials
import RegionModel

/// A placemark that is being read, with all its geometries: what it says of itself may come after them.
struct KMLPlacemark {
    var words = TrackContent.Words()
    /// The address of its style.
    var style = ""
    /// The icon that it has itself.
    var icon = ""
    var time: Date?
    /// Whether it has a position, a line or a track, or something that is left out and counted.
    var hasGeometry = false
    private(set) var places: [TrackPoint] = []
    /// The lines, each a segment.
    private(set) var route = TrackContent.Line(element: .track)
    /// The tracks, each a segment.
    private(set) var track = TrackContent.Line(element: .track)
    private var start = 0
    /// Whether elevations of the current geometry are above the ground and not above the sea, or mean nothing.
    var hasRelativeElevations = false

    // The track that is being read: times and positions come in two lists.
    private var times: [Date?] = []
    private var points: [TrackPoint?] = []
    private var sensors: [TrackSensor: (values: SensorValues, count: Int)] = [:]

    /// The estimated memory, in bytes.
    var heldLength: Int {
        (places.count + 2 * points.count) * MemoryLayout<TrackPoint>.stride + times.count * MemoryLayout<Date?>.stride
            + route.track.heldLength + track.track.heldLength
            + sensors.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
    }

    // MARK: Points and lines

    mutating func beginPoint() {
        start = places.count
        hasRelativeElevations = false
    }

    mutating func addPlace(_ point: TrackPoint) { places.append(point) }

    mutating func endPoint(_ leftOut: inout TrackOmissions) {
        guard isWithoutElevations(places[start...].lazy.map(\.elevation), &leftOut) else { return }
        for index in start..<places.count { places[index].elevation = nil }
    }

    mutating func beginLine() {
        route.beginSegment()
        hasGeometry = true
        start = route.track.points.count
        hasRelativeElevations = false
    }

    mutating func addLinePoint(_ point: TrackPoint, _ leftOut: inout TrackOmissions) {
        route.append(point, [], &leftOut)
    }

    mutating func endLine(_ leftOut: inout TrackOmissions) {
        guard start < route.track.points.count else {
            leftOut[.emptyLine] += 1
            return
        }
        guard isWithoutElevations(route.track.points[start...].lazy.map(\.elevation), &leftOut) else { return }
        for index in start..<route.track.points.count { route.track.points[index].elevation = nil }
    }

    /// Returns whether elevations say nothing of the height above the sea, because programs that know none write 0.
    ///
    /// Those above the ground are counted.
    private func isWithoutElevations(_ elevations: some Sequence<Double?>, _ leftOut: inout TrackOmissions) -> Bool {
        let count = elevations.reduce(0) { $0 + (($1 ?? 0) == 0 ? 0 : 1) }
        if hasRelativeElevations { leftOut[.relativeElevation] += count }
        return hasRelativeElevations || count == 0
    }

    // MARK: Tracks

    mutating func beginTrack() {
        times = []
        points = []
        sensors = [:]
        hasGeometry = true
        hasRelativeElevations = false
    }

    /// Adds a time of the track; returns how many it has now.
    mutating func addTime(_ time: Date?) -> Int {
        times.append(time)
        return times.count
    }

    /// Adds a position of the track; nil if it has none.
    mutating func addTrackPoint(_ point: TrackPoint?) { points.append(point) }

    /// Adds the next value of a sensor; returns how many it has now.
    mutating func addValue(_ value: Double?, of sensor: TrackSensor, _ leftOut: inout TrackOmissions) -> Int {
        var (values, count) = sensors.removeValue(forKey: sensor) ?? (SensorValues(), 0)
        if let value, !values.set(unit: value, at: count) { leftOut[.badSensor] += 1 }
        count += 1
        sensors[sensor] = (values, count)
        return count
    }

    mutating func endTrack(_ leftOut: inout TrackOmissions) {
        defer { beginTrack() }
        guard points.contains(where: { $0 != nil }) else {
            leftOut[.emptyLine] += 1
            return
        }
        let isFlat = isWithoutElevations(points.lazy.map { $0?.elevation }, &leftOut)
        leftOut.count("time without a position", times: times.dropFirst(points.count).count { $0 != nil })
        track.beginSegment()
        for (index, point) in points.enumerated() {
            guard var point else { continue }
            if isFlat { point.elevation = nil }
            point.time = index < times.count ? times[index] : nil
            let values = sensors.compactMap { sensor, list in
                list.values[index].map { (sensor: sensor, value: Double($0) / 1000) }
            }
            track.append(point, values, &leftOut)
        }
    }

    // MARK: Items

    /// The planned route of the lines; nil if there is none.
    var plannedRoute: TrackContent.Line? {
        guard !route.track.points.isEmpty else { return nil }
        var line = route
        line.words = words
        // A route of GPX has no segments.
        if line.complete?.track.segmentStarts.count == 1 { line.element = .route }
        return line
    }

    /// The track; nil if there is none.
    var recordedTrack: TrackContent.Line? {
        guard !track.track.points.isEmpty else { return nil }
        var line = track
        line.words = words
        return line
    }
}
