import PeerStorage

/// What an import leaves out of a file, counted.
struct TrackOmissions {
    /// What is counted by itself, in the order of the report.
    enum Kind: CaseIterable {
        case emptyLine, emptySegment
        /// A point without a position on Earth.
        case badPoint
        /// An elevation that is no number, or not possible on Earth.
        case badElevation
        /// An elevation that does not count from the sea.
        case relativeElevation
        /// A position with a number behind the elevation that has no known meaning.
        case furtherNumber
        case badTime, badSensor
        /// A text that is longer than an item can hold; its beginning is kept.
        case longText
        /// A text that is far longer than an item can hold, so that not even its beginning is kept.
        case droppedText
        case longLink, badCharacter
        /// A byte that does not belong to the encoding of the file.
        case oddByte
        /// A name or other text of a point of a track, which no item can hold.
        case pointText
        /// A table of points, sensor values, or elevations and times that is longer than an item can hold.
        case longTrack, longSensors, longProfile

        /// The description of one and of several; `#` stands for their number.
        fileprivate var words: (one: String, several: String) {
            switch self {
            case .emptyLine: ("# track or route without points", "# tracks or routes without points")
            case .emptySegment: ("# empty track segment", "# empty track segments")
            case .badPoint: ("# point without a valid position", "# points without a valid position")
            case .badElevation: ("# elevation that is not valid", "# elevations that are not valid")
            case .relativeElevation: ("# elevation above the ground", "# elevations above the ground")
            case .furtherNumber: ("the fourth number of # position", "the fourth number of # positions")
            case .badTime: ("# time that is not valid", "# times that are not valid")
            case .badSensor: ("# sensor value that is not valid", "# sensor values that are not valid")
            case .longText: ("# end of a text that is too long", "# ends of texts that are too long")
            case .droppedText: ("# text that is too long", "# texts that are too long")
            case .longLink: ("# link that is too long", "# links that are too long")
            case .badCharacter: ("# character that is not allowed", "# characters that are not allowed")
            case .oddByte: ("# character that is not UTF-8\(Self.read)", "# characters that are not UTF-8\(Self.read)")
            case .pointText: ("# text of a point", "# texts of points")
            case .longTrack: Self.tooMuch("exact points and segments", "track")
            case .longSensors: Self.tooMuch("sensor values", "track")
            case .longProfile: Self.tooMuch("elevations and times", "route")
            }
        }

        private static let read = ", read as Windows-1252"

        private static func tooMuch(_ content: String, _ noun: String) -> (String, String) {
            ("\(content) of # \(noun) with too much data", "\(content) of # \(noun)s with too much data")
        }
    }

    private static let maximumElementCount = 20
    private static let maximumNameLength = 60

    private var counts: [Kind: Int] = [:]
    /// Elements that no item can hold, by their names.
    private var elements: [String: Int] = [:]
    /// Other elements, if there are too many names.
    private var otherElements = 0
    /// The elements that tell of the whole file.
    private var fileElements: [String] = []

    /// The number of things of a kind.
    subscript(kind: Kind) -> Int {
        get { counts[kind, default: 0] }
        set { counts[kind] = newValue }
    }

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

    /// Counts an element that describes the whole file.
    mutating func count(ofFile element: String) {
        let name = element == "desc" ? "description" : String(element.prefix(Self.maximumNameLength))
        guard fileElements.count < Self.maximumElementCount, !fileElements.contains(name) else { return }
        fileElements.append(name)
    }

    /// Short descriptions of everything that is left out.
    var words: [String] {
        var all = Kind.allCases.filter { self[$0] > 0 }.map { kind in
            let words = kind.words
            return (self[kind] == 1 ? words.one : words.several).replacing("#", with: String(self[kind]))
        }
        for (name, count) in elements.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            all.append(count == 1 ? name : "\(name) (\(count) times)")
        }
        if otherElements > 0 { all.append(otherElements == 1 ? "1 other element" : "\(otherElements) other elements") }
        if !fileElements.isEmpty { all.append("the file's own " + fileElements.joined(separator: ", ")) }
        return all
    }
}
