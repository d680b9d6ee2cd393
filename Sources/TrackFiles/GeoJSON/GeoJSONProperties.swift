import FoundationEssentials
import PeerProtocol
import RegionModel

/// The properties of a feature, by the names that other programs use: those of togeojson, simplestyle and QGIS.
struct GeoJSONProperties {
    /// The maximum length of a text or another value, in bytes.
    static let maximumTextLength = 1 << 20

    var words = TrackContent.Words()
    private(set) var elevation: Double?
    private(set) var time: Date?
    /// The times of the positions.
    private(set) var times: [Date?] = []
    /// The values of sensors at the positions.
    private(set) var sensors: [TrackSensor: (values: SensorValues, count: Int)] = [:]
    private var title = ""

    /// Creates properties without values.
    init(words: TrackContent.Words = TrackContent.Words()) { self.words = words }

    /// The estimated memory, in bytes.
    var heldLength: Int {
        times.count * MemoryLayout<Date?>.stride
            + sensors.values.reduce(0) { $0 + $1.count * MemoryLayout<Int32>.stride }
            + [title, words.name, words.description, words.comment, words.symbol, words.type].reduce(0) { sum, text in
                sum + text.utf8.count
            }
    }

    // MARK: Members

    /// Reads the members.
    mutating func read(
        _ scanner: inout JSONScanner,
        _ rest: inout JSONScanner.Limits,
        _ leftOut: inout TrackOmissions
    ) throws {
        try scanner.readElements("{") { scanner in
            let key = try Self.key(&scanner, &rest)
            switch try scanner.peekBehindSpace() {
            case UInt8(ascii: "\""):
                let text = try Self.text(&scanner, &leftOut) ?? ""
                if text.utf8.contains(where: { $0 > 0x20 }), !set(key, text, &leftOut) { leftOut.count(key) }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                try readList(key, &scanner, &rest, &leftOut)
            case UInt8(ascii: "n"): try scanner.skipValue(&rest)
            case UInt8(ascii: "t"), UInt8(ascii: "f"):
                try scanner.skipValue(&rest)
                leftOut.count(key)
            default:
                guard ["ele", "elevation", "altitude"].contains(key) else {
                    try scanner.skipValue(&rest)
                    if !Self.styles.contains(key) { leftOut.count(key) }
                    return
                }
                elevation = try Self.number(&scanner, &rest)
            }
        }
        if words.name.isEmpty { words.name = title }
    }

    /// Keeps a text; returns false if it is none that is kept.
    private mutating func set(_ key: String, _ text: String, _ leftOut: inout TrackOmissions) -> Bool {
        switch key.lowercased() {
        case "name": words.name = text
        case "title", "label": title = text
        case "desc", "description":
            let (plain, pictureCount) = HTMLText.plain(text)
            words.description = plain
            for _ in 0..<pictureCount { leftOut.count("picture of a description") }
        case "cmt", "comment", "note", "notes": words.comment = text
        case "sym", "symbol", "marker-symbol": words.symbol = text
        case "type": words.type = text
        case "ele", "elevation", "altitude":
            elevation = DecimalNumber.value(text)
            if elevation == nil { leftOut[.badElevation] += 1 }
        case "time", "timestamp":
            time = Self.time(text)
            if time == nil { leftOut[.badTime] += 1 }
        default: return Self.styles.contains(key)
        }
        return true
    }

    // How programs draw a feature.
    private static let styles: Set = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size", "styleUrl",
        "styleHash", "styleMapHash", "icon", "icon-scale", "icon-color", "_gpxType",
    ]

    // MARK: Values of positions

    private mutating func readList(
        _ key: String,
        _ scanner: inout JSONScanner,
        _ rest: inout JSONScanner.Limits,
        _ leftOut: inout TrackOmissions
    ) throws {
        let isObject = try scanner.peekBehindSpace() == UInt8(ascii: "{")
        switch key {
        case "coordinateProperties" where isObject:
            try scanner.readElements("{") { scanner in
                let key = try Self.key(&scanner, &rest)
                try readList(key, &scanner, &rest, &leftOut)
            }
        case "coordTimes", "times":
            guard !isObject else { return try skip(key, &scanner, &rest, &leftOut) }
            try readTimes(&scanner, &rest, &leftOut)
        case "heartRates", "heart", "heartrates":
            guard !isObject else { return try skip(key, &scanner, &rest, &leftOut) }
            try readValues(.heartRate, &scanner, &rest, &leftOut)
        default: try skip(key, &scanner, &rest, &leftOut)
        }
    }

    private func skip(
        _ key: String,
        _ scanner: inout JSONScanner,
        _ rest: inout JSONScanner.Limits,
        _ leftOut: inout TrackOmissions
    ) throws {
        try scanner.skipValue(&rest)
        leftOut.count(key)
    }

    /// Reads times in arrays, one for each line.
    private mutating func readTimes(
        _ scanner: inout JSONScanner,
        _ rest: inout JSONScanner.Limits,
        _ leftOut: inout TrackOmissions
    ) throws {
        try scanner.readElements("[") { scanner in
            switch try scanner.peekBehindSpace() {
            case UInt8(ascii: "["): try readTimes(&scanner, &rest, &leftOut)
            case UInt8(ascii: "\""):
                let text = try Self.text(&scanner, &leftOut) ?? ""
                let time = Self.time(text)
                if time == nil { leftOut[.badTime] += 1 }
                try append(time)
            case let mark:
                try scanner.skipValue(&rest)
                if mark != UInt8(ascii: "n") { leftOut[.badTime] += 1 }
                try append(nil)
            }
        }
    }

    private mutating func append(_ time: Date?) throws {
        guard times.count < Self.maximumPositionCount else { throw JSONFault.manyValues }
        times.append(time)
    }

    private mutating func readValues(
        _ sensor: TrackSensor,
        _ scanner: inout JSONScanner,
        _ rest: inout JSONScanner.Limits,
        _ leftOut: inout TrackOmissions
    ) throws {
        try scanner.readElements("[") { scanner in
            if try scanner.peekBehindSpace() == UInt8(ascii: "[") {
                return try readValues(sensor, &scanner, &rest, &leftOut)
            }
            var (values, count) = sensors.removeValue(forKey: sensor) ?? (SensorValues(), 0)
            guard count < Self.maximumPositionCount else { throw JSONFault.manyValues }
            if let value = try Self.number(&scanner, &rest), !values.set(unit: value, at: count) {
                leftOut[.badSensor] += 1
            }
            sensors[sensor] = (values, count + 1)
        }
    }

    private static let maximumPositionCount = TrackFileLimits.file.pointCount

    // MARK: Single values

    /// Reads a time, also with the slashes that GDAL writes: `2024/07/02 08:00:00+00`.
    private static func time(_ text: String) -> Date? {
        var bytes = Array(text.utf8.prefix(64))
        for index in [4, 7] where index < bytes.count && bytes[index] == UInt8(ascii: "/") {
            bytes[index] = UInt8(ascii: "-")
        }
        return Timestamp.date(parsing: String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// Reads a key.
    static func key(_ scanner: inout JSONScanner, _ rest: inout JSONScanner.Limits) throws -> String {
        var bytes: [UInt8] = []
        return String(decoding: try scanner.copyKey(to: &bytes, &rest), as: UTF8.self)
    }

    /// Reads a text; nil if it is too long, which is counted.
    static func text(_ scanner: inout JSONScanner, _ leftOut: inout TrackOmissions) throws -> String? {
        var text: [UInt8] = []
        var isTooLong = false
        try scanner.readString(inPiecesOf: 4096) { piece in
            isTooLong = isTooLong || text.count + piece.count > maximumTextLength
            if !isTooLong { text += piece }
        }
        guard !isTooLong else {
            leftOut[.droppedText] += 1
            return nil
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads a value; nil if it is no finite number.
    static func number(_ scanner: inout JSONScanner, _ rest: inout JSONScanner.Limits) throws -> Double? {
        guard let mark = try scanner.peekBehindSpace(), (0x30...0x39).contains(mark) || mark == UInt8(ascii: "-") else {
            try scanner.skipValue(&rest)
            return nil
        }
        var bytes: [UInt8] = []
        try scanner.copyValue(to: &bytes, &rest)
        return DecimalNumber.value(String(decoding: bytes, as: UTF8.self))
    }
}
