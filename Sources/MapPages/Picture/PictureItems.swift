internal import RegionStore

/// What is drawn over a picture of a map, and what is said of it beside the picture.
struct PictureItems {
    /// A hike or planned route.
    struct Line {
        /// `hike` or `planned`.
        var kind: String
        var name: String
        var facts: String
        var comment: String?
        /// The points of each segment.
        var segments: [[PictureFrame.Point]]
        /// Distance and elevation of each sample, in metres; empty if the elevations are unknown.
        var profile: [(distance: Double, elevation: Double)]

        /// The colour, as on the map.
        var color: String { kind == "hike" ? "#c2185b" : "#1557d6" }
        var isDashed: Bool { kind == "planned" }
    }

    /// A waypoint.
    struct Marker {
        /// The number beside the marker and in the list.
        var number: Int
        var name: String
        var facts: String
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

    private(set) var lines: [Line] = []
    private(set) var markers: [Marker] = []

    /// Reads the items of a region.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - frame: Where they are in the picture.
    ///   - known: Keeps the simplified lines; nil if they are needed once.
    /// - Throws: `RegionStoreError` if they cannot be read.
    init(_ items: any RegionItems, in frame: PictureFrame, _ known: KnownLines? = nil) throws {
        var page = PageItems(items, known)
        var lines: [Line] = []
        var markers: [Marker] = []
        _ = try page.forEachLine { lines.append(Line($0, in: frame)) }
        _ = try page.forEachWaypoint { waypoint, _ in
            markers.append(Marker(waypoint, number: markers.count + 1, in: frame))
        }
        (self.lines, self.markers) = (lines, markers)
    }

    fileprivate static func short(_ text: String?) -> String? {
        text.map { MapLimits.shorten($0, to: textLength) }
    }
}

extension PictureItems.Line {
    fileprivate init(_ line: LineData, in frame: PictureFrame) {
        kind = line.kind
        name = line.name.isEmpty ? "Without a name" : line.name
        facts = PageWords.facts(line)
        comment = PictureItems.short(line.comment)
        segments = line.segments.map { Self.points($0, in: frame) }
        // As many samples as a phone has points.
        let samples = line.profile ?? []
        let step = max(1, samples.count / 200)
        profile = samples.enumerated().compactMap { index, sample in
            let isKept = index.isMultiple(of: step) || index == samples.count - 1
            return isKept && sample.count > 1 ? (sample[0], sample[1]) : nil
        }
    }

    /// Returns the points of a segment without those that are at the same place of the picture as the one before.
    private static func points(_ numbers: [Double], in frame: PictureFrame) -> [PictureFrame.Point] {
        var points: [PictureFrame.Point] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            let point = frame.point(latitude: numbers[index], longitude: numbers[index + 1])
            let isLast = index + 2 >= numbers.count - 1
            if let last = points.last, !isLast, abs(last.x - point.x) < 1, abs(last.y - point.y) < 1 { continue }
            points.append(point)
        }
        return points
    }
}

extension PictureItems.Marker {
    fileprivate init(_ waypoint: WaypointData, number: Int, in frame: PictureFrame) {
        self.number = number
        let kind = WaypointCategory(rawValue: waypoint.category)?.displayName ?? ""
        name = waypoint.label.isEmpty ? kind : waypoint.label
        let place = [waypoint.latitude, waypoint.longitude].map { PageWords.decimal($0, places: 5) }
        let facts: [String?] = [kind, waypoint.elevation.map(PageWords.height), place.joined(separator: ", ")]
        self.facts = facts.compactMap { $0 }.joined(separator: " · ")
        note = PictureItems.short(waypoint.note)
        category = waypoint.category
        point = frame.point(latitude: waypoint.latitude, longitude: waypoint.longitude)
    }
}
