import FoundationEssentials
import RegionModel

/// What the messages of a FIT file say of tracks and places, by the numbers of Garmin's profile.
///
/// The records of an activity become a recorded hike. Those of a course become a planned route, whose points are waypoints; its times
/// are left out, because they are a plan.
struct FITTracks {
    /// The number of the field with the time, in all messages.
    static let time: UInt8 = 253

    private enum Message {
        static let file: UInt16 = 0
        static let session: UInt16 = 18
        static let record: UInt16 = 20
        static let event: UInt16 = 21
        static let location: UInt16 = 29
        static let course: UInt16 = 31
        static let coursePoint: UInt16 = 32
    }

    // 1989-12-31, from 1970.
    private static let epoch = 631_065_600.0
    // Lower numbers count from when the device was switched on.
    private static let minimumTime: UInt32 = 0x1000_0000
    private static let course: Int64 = 6
    private static let timer: Int64 = 0
    private static let stops: Set<Int64> = [1, 4, 8, 9]

    var assembly: TrackAssembly
    private var line = TrackContent.Line(element: .track)
    private var isCourse = false
    private var isPaused = false

    init(_ assembly: TrackAssembly) { self.assembly = assembly }

    /// Begins one of the files that follow one another.
    mutating func beginFile() {
        line = TrackContent.Line(element: .track)
        isCourse = false
        isPaused = false
    }

    /// Takes a message, with its time as the file has it.
    mutating func add(_ message: FITMessage, of kind: UInt16, at seconds: UInt32?) throws(RegionStoreError) {
        switch kind {
        case Message.file: if message.number(0) == Self.course { isCourse = true }
        case Message.session: setSport(message.number(5))
        case Message.event:
            if message.number(0) == Self.timer, let type = message.number(1), Self.stops.contains(type) {
                isPaused = true
            }
        case Message.course:
            isCourse = true
            setSport(message.number(4))
            line.words.name = message.text(5)
        case Message.record: try addRecord(message, at: seconds)
        case Message.coursePoint:
            var words = TrackContent.Words()
            words.name = message.text(6)
            words.symbol = message.number(5).flatMap { Self.pointTypes[$0] } ?? ""
            try addPlace(message, latitude: 2, longitude: 3, words)
        case Message.location:
            var words = TrackContent.Words()
            words.name = message.text(0)
            try addPlace(message, latitude: 1, longitude: 2, words)
        default: break
        }
    }

    /// Ends the file.
    mutating func endFile() throws(RegionStoreError) {
        guard !line.track.points.isEmpty else { return }
        if isCourse {
            if line.hasTimes { assembly.texts.leftOut.count("times of a course") }
            line.element = .route
            line.hasTimes = false
            line.track.segmentStarts = []
            for index in line.track.points.indices { line.track.points[index].time = nil }
        }
        try assembly.add(line)
        line = TrackContent.Line(element: .track)
    }

    private mutating func addPlace(
        _ message: FITMessage,
        latitude: UInt8,
        longitude: UInt8,
        _ words: TrackContent.Words
    ) throws(RegionStoreError) {
        let degrees = (message.degrees(latitude), message.degrees(longitude))
        guard let position = try assembly.position(degrees.0, degrees.1) else { return }
        let place = TrackContent.Waypoint(point: TrackPoint(coordinate: position), words: words)
        try assembly.add(place, whileHolding: line.track.heldLength)
    }

    private mutating func addRecord(_ message: FITMessage, at seconds: UInt32?) throws(RegionStoreError) {
        if message.number(7) != nil { assembly.texts.leftOut.count("power") }
        guard let position = try assembly.position(message.degrees(0), message.degrees(1)) else { return }
        if isPaused { line.beginSegment() }
        isPaused = false
        let elevation = message.value(78, scale: 5, offset: 500) ?? message.value(2, scale: 5, offset: 500)
        var point = TrackPoint(coordinate: position, elevation: assembly.texts.leftOut.elevation(elevation))
        if let seconds, seconds >= Self.minimumTime {
            point.time = Date(timeIntervalSince1970: Self.epoch + Double(seconds))
        } else if seconds != nil {
            assembly.texts.leftOut.count("time without a date")
        }
        let values: [(TrackSensor, Double?)] = [
            (.heartRate, message.value(3)),
            (.cadence, message.value(4).map { $0 + (message.value(53, scale: 128) ?? 0) }),
            (.temperature, message.value(13)),
            (.speed, message.value(73, scale: 1000) ?? message.value(6, scale: 1000)),
        ]
        let sensors = values.compactMap { sensor, value in value.map { (sensor: sensor, value: $0) } }
        line.append(point, sensors, &assembly.texts.leftOut)
        try assembly.check(line.track.heldLength)
    }

    private mutating func setSport(_ number: Int64?) {
        guard line.words.type.isEmpty, let name = number.flatMap({ Self.sports[$0] }) else { return }
        line.words.type = name
    }

    private static let sports: [Int64: String] = [
        1: "running", 2: "cycling", 11: "walking", 12: "cross_country_skiing", 13: "alpine_skiing",
        16: "mountaineering", 17: "hiking", 19: "paddling", 21: "e_biking", 27: "horseback_riding", 31: "rock_climbing",
        35: "snowshoeing",
        41: "kayaking",
    ]

    private static let pointTypes: [Int64: String] = [
        1: "summit", 2: "valley", 3: "water", 4: "food", 5: "danger", 6: "left", 7: "right", 8: "straight",
        9: "first_aid", 16: "left_fork", 17: "right_fork", 18: "middle_fork", 19: "slight_left", 20: "sharp_left",
        21: "slight_right", 22: "sharp_right", 23: "u_turn", 27: "campsite", 28: "aid_station", 29: "rest_area",
        31: "service", 34: "mile_marker", 35: "checkpoint", 36: "shelter", 37: "meeting_spot", 38: "overlook",
        39: "toilet", 40: "shower", 42: "sharp_curve", 43: "steep_incline", 44: "tunnel", 45: "bridge", 46: "obstacle",
        47: "crossing", 48: "store", 51: "transport", 52: "alert", 53: "info",
    ]
}
