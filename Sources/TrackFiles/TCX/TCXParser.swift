import FoundationEssentials
import RegionModel

/// Reads the elements of a TCX file (Garmin's Training Center Database, version 2).
///
/// An activity becomes a recorded hike, and a course becomes a planned route, whose points are waypoints. The times of a course
/// are left out: they are a plan, often of a partner that exists on the device only.
struct TCXParser: XMLTrackParser {
    static let format = "TCX"

    /// A point that is being read.
    private struct Point {
        var latitude: Double?
        var longitude: Double?
        var elevation: Double?
        var time: Date?
        var sensors: [(sensor: TrackSensor, value: Double)] = []
        var words = TrackContent.Words()
    }

    var assembly: TrackAssembly
    let fileName = ""
    private var stack: [TCXElement] = [.container]
    private var text = CollectedText()
    private var line = TrackContent.Line()
    private var point = Point()
    /// Whether points of the course have times.
    private var hasPlannedTimes = false
    /// Whether the lap has had a track: a second one begins after a pause.
    private var hasTrack = false
    /// The notes of the first lap that has any; those of the activity come after all laps.
    private var lapNotes = ""

    init(_ assembly: TrackAssembly) { self.assembly = assembly }

    mutating func start(_ name: String, _ scanner: XMLScanner) throws(RegionStoreError) {
        guard let parent = stack.last else { return }
        let element = TCXElement(name.xmlLocalName, in: parent)
        text.begin(element.hasText)
        switch element {
        case .activity:
            line = TrackContent.Line(element: .track)
            lapNotes = ""
            let sport = scanner.attributes["Sport"] ?? ""
            line.words.type = sport == "Other" ? "" : sport
        case .course:
            line = TrackContent.Line(element: .route)
            lapNotes = ""
        case .lap: hasTrack = false
        case .track:
            // Laps follow one another without a pause.
            if hasTrack, line.element == .track { line.beginSegment() }
            hasTrack = true
        case .trackPoint, .coursePoint: point = Point()
        default: break
        }
        stack.append(element)
    }

    mutating func collect(_ piece: ArraySlice<UInt8>) { text.append(piece) }

    mutating func end() throws(RegionStoreError) {
        guard let element = stack.popLast() else { return }
        let words = element.hasText ? text.end(&assembly.texts.leftOut) : nil
        text.begin(false)
        switch element {
        case .trackPoint: try endTrackPoint()
        case .coursePoint: try endCoursePoint()
        case .activity, .course:
            takeLapNotes()
            if hasPlannedTimes { assembly.texts.leftOut.count("times of a course") }
            hasPlannedTimes = false
            try assembly.add(line)
            line = TrackContent.Line()
        case .leftOut(let name): assembly.texts.leftOut.count(name)
        default: if let words { end(element, words) }
        }
    }

    private mutating func end(_ element: TCXElement, _ words: String) {
        switch element {
        case .latitude: point.latitude = DecimalNumber.value(words)
        case .longitude: point.longitude = DecimalNumber.value(words)
        case .elevation: point.elevation = assembly.texts.leftOut.elevation(words)
        case .time:
            // Those of a course are a plan.
            guard line.element == .track else {
                hasPlannedTimes = hasPlannedTimes || !isInPoint
                return
            }
            point.time = assembly.texts.leftOut.time(words)
        case .sensor(let sensor):
            guard !point.sensors.contains(where: { $0.sensor == sensor }),
                let value = assembly.texts.leftOut.sensorValue(words)
            else { return }
            point.sensors.append((sensor, value))
        case .name: if isInPoint { point.words.name = words } else { line.words.name = words }
        case .notes:
            if isInPoint { point.words.description = words } else if !words.isBlank { addNotes(words) }
        case .pointType: point.words.symbol = words
        default: break
        }
    }

    private mutating func addNotes(_ words: String) {
        let isOfLap = if case .lap? = stack.last { true } else { false }
        switch (isOfLap, isOfLap ? lapNotes.isEmpty : line.words.description.isEmpty) {
        case (true, true): lapNotes = words
        case (false, true): line.words.description = words
        case (_, false): assembly.texts.leftOut.count("Notes")
        }
    }

    /// An item has room for one text: that of the activity, or else that of a lap.
    private mutating func takeLapNotes() {
        guard !lapNotes.isEmpty else { return }
        if line.words.description.isEmpty {
            line.words.description = lapNotes
        } else {
            assembly.texts.leftOut.count("Notes")
        }
    }

    private var isInPoint: Bool { if case .coursePoint? = stack.last { true } else { false } }

    private mutating func endTrackPoint() throws(RegionStoreError) {
        guard let coordinate = try assembly.position(point.latitude, point.longitude) else { return }
        let new = TrackPoint(coordinate: coordinate, elevation: point.elevation, time: point.time)
        line.append(new, point.sensors, &assembly.texts.leftOut)
        try assembly.check(line.track.heldLength)
    }

    private mutating func endCoursePoint() throws(RegionStoreError) {
        guard let coordinate = try assembly.position(point.latitude, point.longitude) else { return }
        let new = TrackPoint(coordinate: coordinate, elevation: point.elevation)
        try assembly.add(TrackContent.Waypoint(point: new, words: point.words), whileHolding: line.track.heldLength)
    }

    mutating func endEarly() throws(RegionStoreError) {
        text.begin(false)
        while let element = stack.last {
            switch element {
            // A point that is not complete may lack its elevation or its time.
            case .activity, .course: try end()
            default: stack.removeLast()
            }
        }
    }
}
