internal import RegionStore
internal import Sentences

/// What is drawn over a picture of a map, and what is said of it beside the picture.
struct PictureItems {
    struct Line: Codable {
        /// `hike` or `planned`.
        var kind: String
        var name: String
        var facts: String
        var comment: String?
        /// The points of each segment.
        var segments: [[PictureFrame.Point]]
        /// Empty if the elevations are unknown.
        var profile: [Sample]

        struct Sample: Codable {
            /// The distance from the start, in metres.
            var distance: Double
            var elevation: Double
        }

        /// The colour, as on the map.
        var color: String { kind == "hike" ? "#c2185b" : "#1557d6" }
        var isDashed: Bool { kind == "planned" }
    }

    struct Marker: Codable {
        /// The number beside the marker and in the list.
        var number: Int
        var name: String
        /// The kind and the height.
        var facts: String
        var place: String
        var note: String?
        var category: String
        var point: PictureFrame.Point
        /// The colour, as on the map.
        var color: String { PictureItems.colors[category] ?? "#546e7a" }
    }

    /// The colours of the categories, as in `waypoints.js` and `style.css`.
    static let colors = [
        "trailMarker": "#8d6e63", "viewpoint": "#8e24aa", "waterSource": "#0288d1", "campsite": "#2e7d32",
        "danger": "#d50000", "food": "#ef6c00", "shelter": "#5d4037", "parking": "#3949ab", "custom": "#546e7a",
    ]

    /// The maximum length of a comment or note, in Unicode scalars.
    private static let textLength = 300
    var lines: [Line] = []
    var markers: [Marker] = []
    /// What is not shown, in sentences.
    var leftOut: [String] = []

    init() {}

    /// Reads the items of a region; `known` keeps the simplified lines, if they are needed more than once.
    init(
        _ items: any RegionItems,
        in frame: PictureFrame,
        _ known: KnownLines? = nil,
        waypointLimit: Int = MapLimits.waypoints,
        in language: Language = .english
    ) throws {
        let page = PageItems(items, known, waypointLimit: waypointLimit)
        var lines: [Line] = []
        var markers: [Marker] = []
        let lineCount = try page.forEachLine { lines.append(Line($0, in: frame, language)) }
        let waypointCount = try page.forEachWaypoint { waypoint, _ in
            markers.append(Marker(waypoint, number: markers.count + 1, in: frame, language))
        }
        (self.lines, self.markers) = (lines, markers)
        leftOut = page.leftOut(lineCount, waypointCount).map { language($0) }
    }

    fileprivate static func short(_ text: String?) -> String? {
        text.map { MapLimits.shorten($0, to: textLength) }
    }
}

extension PictureItems.Line {
    fileprivate init(_ line: LineData, in frame: PictureFrame, _ language: Language) {
        kind = line.kind
        name = line.name.isEmpty ? language(Sentence("Without a name")) : line.name
        facts = language(.facts(line))
        comment = PictureItems.short(line.comment)
        segments = line.segments.map { Self.points($0, in: frame) }
        // As many samples as a phone has points.
        let samples = line.profile ?? []
        let step = max(1, samples.count / 200)
        profile = samples.enumerated().compactMap { index, sample in
            let isKept = index.isMultiple(of: step) || index == samples.count - 1
            return isKept && sample.count > 1 ? Sample(distance: sample[0], elevation: sample[1]) : nil
        }
    }

    /// Returns the points of a segment without those that are at the same place of the picture as the one before.
    private static func points(_ numbers: [Double], in frame: PictureFrame) -> [PictureFrame.Point] {
        var points: [PictureFrame.Point] = []
        let all = LineData.points(of: numbers)
        for (index, place) in all.enumerated() {
            let point = frame.point(latitude: place.latitude, longitude: place.longitude)
            let isLast = index == all.count - 1
            if let last = points.last, !isLast, abs(last.x - point.x) < 1, abs(last.y - point.y) < 1 { continue }
            points.append(point)
        }
        return points
    }
}

extension PictureItems.Marker {
    fileprivate init(_ waypoint: WaypointData, number: Int, in frame: PictureFrame, _ language: Language) {
        self.number = number
        let kind = language(Sentence(known: WaypointCategory(rawValue: waypoint.category)?.displayName ?? ""))
        name = waypoint.label.isEmpty ? kind : waypoint.label
        let height = waypoint.elevation.map { language(.height($0)) }
        facts = [kind, height].compactMap { $0 }.joined(separator: " · ")
        place = [waypoint.latitude, waypoint.longitude].map { PageWords.decimal($0, places: 5) }.joined(separator: ", ")
        note = PictureItems.short(waypoint.note)
        category = waypoint.category
        point = frame.point(latitude: waypoint.latitude, longitude: waypoint.longitude)
    }
}
