import FoundationEssentials
import PeerStorage

/// The parts of a GPX file that are being read: a point, and the route or track around it.
struct GPXParts {
    // More links than an item can hold are not collected.
    private static let maximumLinkCount = ModelLimits.maximumLinkCount

    /// The texts of the file.
    private(set) var fileWords = GPXContent.Words()
    /// The texts of the last point.
    private(set) var pointWords = GPXContent.Words()
    private var point: TrackPoint?
    private var pointIdentity: GPXIdentity?
    private var sensors: [(sensor: TrackSensor, value: Double)] = []
    private var line = GPXContent.Line()
    private var segmentStart = 0
    /// Whether the link that began last is collected.
    private var hasLink = false

    // MARK: Points

    /// Begins a point; nil if it has no position.
    mutating func beginPoint(_ coordinate: Coordinate?) {
        point = coordinate.map { TrackPoint(coordinate: $0) }
        pointWords = GPXContent.Words()
        pointIdentity = nil
        sensors.removeAll(keepingCapacity: true)
    }

    mutating func setElevation(_ text: String, _ leftOut: inout GPXLeftOut) {
        guard point != nil, !Self.isBlank(text) else { return }
        guard let elevation = GPXNumber.value(text), TrackLimits.elevations.contains(elevation) else {
            leftOut.badElevations += 1
            return
        }
        point?.elevation = elevation
    }

    mutating func setTime(_ text: String, _ leftOut: inout GPXLeftOut) {
        guard point != nil, !Self.isBlank(text) else { return }
        point?.time = Timestamp.date(parsing: text.utf8)
        if point?.time == nil { leftOut.badTimes += 1 }
    }

    mutating func set(_ sensor: TrackSensor, _ text: String, _ leftOut: inout GPXLeftOut) {
        guard point != nil, !Self.isBlank(text) else { return }
        guard let value = GPXNumber.value(text), abs(value) < 1e6 else {
            leftOut.badSensors += 1
            return
        }
        // The first value counts: GPX 1.0 and an extension may both have a speed.
        if !sensors.contains(where: { $0.sensor == sensor }) { sensors.append((sensor, value)) }
    }

    /// Ends a waypoint; nil if it has no position.
    mutating func endPlace() -> GPXContent.Place? {
        defer { point = nil }
        return point.map { GPXContent.Place(point: $0, words: pointWords, identity: pointIdentity) }
    }

    /// Ends a point of a route or track.
    mutating func endLinePoint(_ leftOut: inout GPXLeftOut) {
        defer { point = nil }
        guard let point else { return }
        let index = line.track.points.count
        line.track.points.append(point)
        for (sensor, value) in sensors {
            let isSet = line.track.sensors[sensor, default: SensorValues()].set(unit: value, at: index)
            if !isSet { leftOut.badSensors += 1 }
        }
        for _ in pointWords.links { leftOut.count("link") }
        if pointWords.hasTexts { line.pointWords.append(.init(index: index, words: pointWords)) }
    }

    // MARK: Lines

    mutating func beginSegment() {
        segmentStart = line.track.points.count
    }

    mutating func endSegment(_ leftOut: inout GPXLeftOut) {
        if segmentStart < line.track.points.count {
            line.track.segmentStarts.append(segmentStart)
        } else {
            leftOut.emptySegments += 1
        }
    }

    /// Ends a route or track; nil if it has no points.
    mutating func endLine(_ leftOut: inout GPXLeftOut) -> GPXContent.Line? {
        defer { line = GPXContent.Line() }
        guard !line.track.points.isEmpty else {
            leftOut.emptyLines += 1
            return nil
        }
        if line.track.segmentStarts.isEmpty { line.track.segmentStarts = [0] }
        return line
    }

    // MARK: Texts

    mutating func set(
        _ keyPath: WritableKeyPath<GPXContent.Words, String>,
        _ text: String,
        _ owner: GPXElement.Owner
    ) {
        change(owner) { $0[keyPath: keyPath] = text }
    }

    mutating func set(_ identity: GPXIdentity, _ owner: GPXElement.Owner) {
        switch owner {
        case .waypoint: if identity.kind == .waypoint { pointIdentity = identity }
        case .line: if identity.kind != .waypoint { line.identity = identity }
        case .routePoint, .trackPoint, .file: break
        }
    }

    mutating func beginLink(_ address: String, _ owner: GPXElement.Owner, _ leftOut: inout GPXLeftOut) {
        hasLink = false
        guard !Self.isBlank(address) else { return }
        var isKept = false
        change(owner) { words in
            guard words.links.count < Self.maximumLinkCount else { return }
            words.links.append(GPXLink(address: address))
            isKept = true
        }
        hasLink = isKept
        if !isKept { leftOut.count("link") }
    }

    mutating func setLink(
        _ text: String,
        _ owner: GPXElement.Owner,
        _ change: (_ link: inout GPXLink, _ text: String) -> Void
    ) {
        let isKept = hasLink
        self.change(owner) { words in
            guard isKept, let last = words.links.indices.last else { return }
            change(&words.links[last], text)
        }
    }

    private mutating func change(_ owner: GPXElement.Owner, _ body: (inout GPXContent.Words) -> Void) {
        switch owner {
        case .waypoint, .routePoint, .trackPoint: body(&pointWords)
        case .line: body(&line.words)
        case .file: body(&fileWords)
        }
    }

    private static func isBlank(_ text: String) -> Bool { !text.utf8.contains { $0 > 0x20 } }
}
