import FoundationEssentials
import PeerStorage
import RegionModel

/// The parts of a GPX file that are being read: a point, and the route or track around it.
struct GPXParts {
    // More links than an item can hold are not collected.
    private static let maximumLinkCount = ModelLimits.maximumLinkCount

    private let limits: TrackFileLimits
    /// The texts of the file.
    private(set) var fileWords = TrackContent.Words()
    /// The texts of the last point.
    private var pointWords = TrackContent.Words()
    private var point: TrackPoint?
    private var pointIdentity: GPXIdentity?
    private var sensors: [(sensor: TrackSensor, value: Double)] = []
    /// The points that lead from a route point to the next one.
    private var shape: [Coordinate] = []
    private var line = TrackContent.Line()
    private var segmentStart = 0
    private var pointTextLength = 0
    /// Whether the last point of the line is one of a shape.
    private var isAtShape = false
    /// Whether the link that began last is collected.
    private var hasLink = false

    init(_ limits: TrackFileLimits) { self.limits = limits }

    /// The estimated memory of the line, in bytes.
    var heldLength: Int { line.track.heldLength + pointTextLength }

    // MARK: Points

    /// Begins a point; nil if it has no position.
    mutating func beginPoint(_ coordinate: Coordinate?) {
        point = coordinate.map { TrackPoint(coordinate: $0) }
        pointWords = TrackContent.Words()
        pointIdentity = nil
        sensors.removeAll(keepingCapacity: true)
        shape.removeAll(keepingCapacity: true)
    }

    /// Adds a point between the current route point and the next one.
    mutating func addShapePoint(_ coordinate: Coordinate) { shape.append(coordinate) }

    mutating func setElevation(_ text: String, _ leftOut: inout TrackOmissions) {
        if point != nil, let elevation = leftOut.elevation(text) { point?.elevation = elevation }
    }

    mutating func setTime(_ text: String, _ leftOut: inout TrackOmissions) {
        if point != nil, let time = leftOut.time(text) { point?.time = time }
    }

    mutating func set(_ sensor: TrackSensor, _ text: String, _ leftOut: inout TrackOmissions) {
        guard point != nil, let value = leftOut.sensorValue(text) else { return }
        // The first value counts: GPX 1.0 and an extension may both have a speed.
        if !sensors.contains(where: { $0.sensor == sensor }) { sensors.append((sensor, value)) }
    }

    /// Ends a waypoint; nil if it has no position.
    mutating func endWaypoint() -> TrackContent.Waypoint? {
        defer { point = nil }
        return point.map { TrackContent.Waypoint(point: $0, words: pointWords, identity: pointIdentity) }
    }

    /// Ends a point of a route or track.
    mutating func endLinePoint(_ leftOut: inout TrackOmissions) {
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

    private mutating func append(_ point: TrackPoint, _ leftOut: inout TrackOmissions) {
        let index = line.track.points.count
        line.append(point, sensors, &leftOut)
        isAtShape = false
        for _ in pointWords.links { leftOut.count("link") }
        guard pointWords.hasTexts else { return }
        let words = TrackContent.PointWords(index: index, words: pointWords)
        if !line.isHike, pointTextLength + words.heldLength <= limits.pointTextLength {
            line.pointWords.append(words)
            pointTextLength += words.heldLength
        } else {
            leftOut[.pointText] += 1
        }
        // No item can hold the texts of the points of a hike.
        if line.isHike, !line.pointWords.isEmpty {
            leftOut[.pointText] += line.pointWords.count
            line.pointWords = []
            pointTextLength = 0
        }
    }

    // MARK: Lines

    mutating func beginLine(_ element: TrackContent.LineElement) {
        line = TrackContent.Line(element: element)
        pointTextLength = 0
        isAtShape = false
    }

    mutating func beginSegment() { segmentStart = line.track.points.count }

    mutating func endSegment(_ leftOut: inout TrackOmissions) {
        if segmentStart < line.track.points.count {
            line.track.segmentStarts.append(segmentStart)
        } else {
            leftOut[.emptySegment] += 1
        }
    }

    /// Ends a route or track.
    mutating func endLine() -> TrackContent.Line {
        defer { beginLine(.route) }
        return line
    }

    // MARK: Texts

    mutating func set(
        _ keyPath: WritableKeyPath<TrackContent.Words, String>,
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

    mutating func beginLink(_ address: String, _ owner: GPXElement.Owner, _ leftOut: inout TrackOmissions) {
        hasLink = false
        guard !address.isBlank else { return }
        // The beginning of an address leads elsewhere.
        guard address.utf8.count <= ModelLimits.maximumNameLength else {
            leftOut[.longLink] += 1
            return
        }
        var isKept = false
        change(owner) { words in
            guard words.links.count < Self.maximumLinkCount else { return }
            words.links.append(ItemLink(address: address))
            isKept = true
        }
        hasLink = isKept
        if !isKept { leftOut.count("link") }
    }

    mutating func setLink(
        _ text: String,
        _ owner: GPXElement.Owner,
        _ change: (_ link: inout ItemLink, _ text: String) -> Void
    ) {
        let isKept = hasLink
        self.change(owner) { words in
            guard isKept, let last = words.links.indices.last else { return }
            change(&words.links[last], text)
        }
    }

    private mutating func change(_ owner: GPXElement.Owner, _ body: (inout TrackContent.Words) -> Void) {
        switch owner {
        case .waypoint, .routePoint, .trackPoint: body(&pointWords)
        case .line: body(&line.words)
        case .file: body(&fileWords)
        }
    }
}
