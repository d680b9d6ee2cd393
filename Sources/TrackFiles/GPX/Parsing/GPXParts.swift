import FoundationEssentials
import PeerStorage
import RegionModel

/// The parts of a GPX file that are being read: a point, and the route or track around it.
struct GPXParts {
    // More links than an item can hold are not collected.
    private static let maximumLinkCount = ModelLimits.maximumLinkCount

    private let limits: GPXLimits
    /// The texts of the file.
    private(set) var fileWords = GPXContent.Words()
    /// The texts of the last point.
    private var pointWords = GPXContent.Words()
    private var point: TrackPoint?
    private var pointIdentity: GPXIdentity?
    private var sensors: [(sensor: TrackSensor, value: Double)] = []
    /// The points that lead from a route point to the next one.
    private var shape: [Coordinate] = []
    private var line = GPXContent.Line()
    private var segmentStart = 0
    private var pointTextLength = 0
    /// Whether the last point of the line is one of a shape.
    private var isAtShape = false
    /// Whether the link that began last is collected.
    private var hasLink = false

    init(_ limits: GPXLimits) {
        self.limits = limits
    }

    /// The estimated memory of the line, in bytes.
    var heldLength: Int { line.track.heldLength + pointTextLength }

    // MARK: Points

    /// Begins a point; nil if it has no position.
    mutating func beginPoint(_ coordinate: Coordinate?) {
        point = coordinate.map { TrackPoint(coordinate: $0) }
        pointWords = GPXContent.Words()
        pointIdentity = nil
        sensors.removeAll(keepingCapacity: true)
        shape.removeAll(keepingCapacity: true)
    }

    /// Adds a point between the current route point and the next one.
    mutating func addShapePoint(_ coordinate: Coordinate) {
        shape.append(coordinate)
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
        if let point {
            if isAtShape, line.track.points.last?.coordinate == point.coordinate { line.track.points.removeLast() }
            append(point, &leftOut)
        }
        for coordinate in shape where coordinate != line.track.points.last?.coordinate {
            line.track.points.append(TrackPoint(coordinate: coordinate))
            isAtShape = true
        }
    }

    private mutating func append(_ point: TrackPoint, _ leftOut: inout GPXLeftOut) {
        let index = line.track.points.count
        line.append(point, sensors, &leftOut)
        isAtShape = false
        for _ in pointWords.links { leftOut.count("link") }
        guard pointWords.hasTexts else { return }
        let words = GPXContent.PointWords(index: index, words: pointWords)
        if !line.isHike, pointTextLength + words.heldLength <= limits.pointTextLength {
            line.pointWords.append(words)
            pointTextLength += words.heldLength
        } else {
            leftOut.pointTexts += 1
        }
        // No item can hold the texts of the points of a hike.
        if line.isHike, !line.pointWords.isEmpty {
            leftOut.pointTexts += line.pointWords.count
            line.pointWords = []
            pointTextLength = 0
        }
    }

    // MARK: Lines

    mutating func beginLine(_ element: GPXContent.LineElement) {
        line = GPXContent.Line(element: element)
        pointTextLength = 0
        isAtShape = false
    }

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

    /// Ends a route or track.
    mutating func endLine() -> GPXContent.Line {
        defer { beginLine(.route) }
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
        // The beginning of an address leads elsewhere.
        guard address.utf8.count <= ModelLimits.maximumNameLength else {
            leftOut.longLinks += 1
            return
        }
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
