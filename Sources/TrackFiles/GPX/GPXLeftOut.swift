import PeerStorage

/// The numbers of things in a GPX file that an import leaves out.
struct GPXLeftOut: Hashable, Sendable {
    private static let maximumElementCount = 20
    private static let maximumNameLength = 60

    /// Routes and tracks without points.
    var emptyLines = 0
    /// Segments without points, in tracks that have points.
    var emptySegments = 0
    /// Points without a position on Earth.
    var badPoints = 0
    /// Elevations that are not numbers, or not possible on Earth.
    var badElevations = 0
    /// Elevations that do not count from the sea.
    var relativeElevations = 0
    /// Positions with numbers behind the elevation that have no known meaning.
    var furtherNumbers = 0
    /// Times that cannot be read.
    var badTimes = 0
    /// Values of sensors that cannot be read.
    var badSensors = 0
    /// Texts that are longer than an item can hold.
    var longTexts = 0
    /// Texts that are far longer than an item can hold, so that not even their beginnings are kept.
    var droppedTexts = 0
    /// Links whose addresses are longer than an item can hold.
    var longLinks = 0
    /// Characters that no GPX file may have.
    var badCharacters = 0
    /// Bytes that do not belong to the encoding of the file.
    var oddBytes = 0
    /// Points of tracks whose names or other texts no item can hold.
    var pointTexts = 0
    /// Recorded hikes whose exact points are more than an item can hold.
    var longTracks = 0
    /// Recorded hikes whose sensor values are more than an item can hold.
    var longSensors = 0
    /// Planned routes whose elevations and times are more than an item can hold.
    var longProfiles = 0
    /// Elements that no item can hold, by their names.
    private(set) var elements: [String: Int] = [:]
    /// Other elements, if there are too many names.
    private(set) var otherElements = 0
    /// What the file says of itself.
    private(set) var fileElements: [String] = []

    /// Counts elements of one kind that are left out.
    mutating func count(_ element: String, times: Int = 1) {
        guard times > 0 else { return }
        let name = String(element.prefix(Self.maximumNameLength))
        if elements[name] != nil || elements.count < Self.maximumElementCount {
            elements[name, default: 0] += times
        } else {
            otherElements += times
        }
    }

    /// Counts the values of a sensor.
    mutating func count(_ sensor: TrackSensor, of values: SensorValues) {
        elements["\(sensor)", default: 0] += values.known.reduce(0) { count, _ in count + 1 }
    }

    /// Counts an element that tells of the whole file.
    mutating func count(ofFile element: String) {
        let name = element == "desc" ? "description" : String(element.prefix(Self.maximumNameLength))
        guard fileElements.count < Self.maximumElementCount, !fileElements.contains(name) else { return }
        fileElements.append(name)
    }

    /// Short descriptions of everything that is left out; none if there is nothing.
    var words: [String] {
        func words(_ count: Int, _ one: String, _ several: String) -> String? {
            count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(several)"
        }
        func tooMuch(_ content: String, of count: Int, _ noun: String) -> String? {
            words(count, noun, noun + "s").map { "\(content) of \($0) with too much data" }
        }
        var all = [
            words(emptyLines, "track or route without points", "tracks or routes without points"),
            words(emptySegments, "empty track segment", "empty track segments"),
            words(badPoints, "point without a valid position", "points without a valid position"),
            words(badElevations, "elevation that is not valid", "elevations that are not valid"),
            words(relativeElevations, "elevation above the ground", "elevations above the ground"),
            words(furtherNumbers, "position", "positions").map { "the fourth number of \($0)" },
            words(badTimes, "time that is not valid", "times that are not valid"),
            words(badSensors, "sensor value that is not valid", "sensor values that are not valid"),
            words(longTexts, "end of a text that is too long", "ends of texts that are too long"),
            words(droppedTexts, "text that is too long", "texts that are too long"),
            words(longLinks, "link that is too long", "links that are too long"),
            words(badCharacters, "character that is not allowed", "characters that are not allowed"),
            words(oddBytes, "character that is not UTF-8", "characters that are not UTF-8").map {
                $0 + ", read as Windows-1252"
            },
            words(pointTexts, "text of a point", "texts of points"),
            tooMuch("exact points and segments", of: longTracks, "track"),
            tooMuch("sensor values", of: longSensors, "track"),
            tooMuch("elevations and times", of: longProfiles, "route"),
        ].compactMap { $0 }
        for (name, count) in elements.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            all.append(count == 1 ? name : "\(name) (\(count) times)")
        }
        if let others = words(otherElements, "other element", "other elements") { all.append(others) }
        if !fileElements.isEmpty { all.append("the file's own " + fileElements.joined(separator: ", ")) }
        return all
    }
}
