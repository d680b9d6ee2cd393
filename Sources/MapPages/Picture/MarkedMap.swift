/// The marks and names of the waypoints on a map, and the numbers by which a list has them.
///
/// Places that are beside each other have numbers that follow each other, so the mark of several has a range.
struct MarkedMap {
    struct Mark: Hashable {
        var numbers: ClosedRange<Int>
        var box: PictureFrame.Box
        /// The colour of a single waypoint, or that of all marks of several.
        var color: String
        /// The numbers as they are written on the mark.
        var text: String {
            numbers.count == 1 ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)–\(numbers.upperBound)"
        }
        var middle: PictureFrame.Point {
            PictureFrame.Point(x: box.left + box.width / 2, y: box.top + box.height / 2)
        }
    }

    struct Name: Hashable {
        var text: String
        var left: Double
        var middle: Double
    }

    /// The lengths in points of the picture, and the width that a text has.
    struct Style {
        /// The letters of numbers; all other lengths follow.
        var letters: Double
        /// The letters of names.
        var nameLetters: Double
        /// Returns the width of a text with letters of a size.
        var width: (_ text: String, _ letters: Double) -> Double

        var height: Double { letters * 2 }
        /// The space between a mark and its name.
        var gap: Double { letters * 0.4 }
        var edge: Double { letters * 0.2 }
    }

    /// The colour of marks of several waypoints, as on the page.
    static let color = "#3b4a54"
    /// The number of waypoints beyond which only those near a hike or route have names.
    static let manyWaypoints = 60
    /// The number of rows of a map in which waypoints are numbered, each from the west to the east.
    private static let rowCount = 8.0
    /// The waypoints in the order of their numbers.
    private(set) var markers: [PictureItems.Marker] = []
    /// How many of them are on the map: the first ones.
    private(set) var shownCount = 0
    private(set) var marks: [Mark] = []
    private(set) var names: [Name] = []

    /// Lays marks and names out.
    ///
    /// - Parameter taken: Where there is something else than names.
    init(_ items: PictureItems, in frame: PictureFrame, _ style: Style, besides taken: [PictureFrame.Box] = []) {
        let shown = items.markers.filter { frame.contains($0.point) }
        let digits = String(repeating: "8", count: String(max(1, items.markers.count)).utf8.count)
        func width(_ text: String) -> Double { max(style.height, style.width(text, style.letters) + style.letters) }
        let groups = MarkGroups(
            of: shown.map(\.point),
            size: .init(alone: width(digits), wide: width("\(digits)–\(digits)"), height: style.height),
            width: frame.width,
            height: frame.height
        )
        let row = max(1e-3, frame.height / Self.rowCount)
        let sorted = groups.groups.map { ($0, ($0.center.y / row).rounded(.down)) }.sorted { one, other in
            (one.1, one.0.center.x, one.0.center.y) < (other.1, other.0.center.x, other.0.center.y)
        }
        for (group, _) in sorted {
            let members = group.members.map { shown[$0] }.sorted { ($0.category, $0.name) < ($1.category, $1.name) }
            let first = markers.count + 1
            markers += members
            let color = members.count == 1 ? members[0].color : Self.color
            marks.append(Mark(numbers: first...markers.count, box: groups.box(of: group), color: color))
        }
        shownCount = markers.count
        markers += items.markers.filter { !frame.contains($0.point) }
        for index in markers.indices { markers[index].number = index + 1 }
        layOutNames(items.lines, in: frame, style, taken)
    }

    /// Gives names to single waypoints: first to what is where a hike or route ends, then to what is near one.
    private mutating func layOutNames(
        _ lines: [PictureItems.Line],
        in frame: PictureFrame,
        _ style: Style,
        _ taken: [PictureFrame.Box]
    ) {
        var layout = LabelLayout(besides: marks.map(\.box) + taken)
        let (segments, longest) = (lines.flatMap(\.segments), frame.width + frame.height)
        let ends = lines.compactMap { $0.segments.last?.last }.map { [$0] }
        let near = LineCells(of: segments, side: 1.1 * style.height, longest: longest)
        let goals = LineCells(of: ends, side: 0.7 * style.height, longest: longest)
        let single = marks.filter { $0.numbers.count == 1 }
        let first = single.filter { goals.isNear($0.middle) }
        let rest = single.filter { !goals.isNear($0.middle) }
        var order = first + rest.filter { near.isNear($0.middle) }
        if markers.count <= Self.manyWaypoints { order += rest.filter { !near.isNear($0.middle) } }
        for mark in order {
            let text = MapLimits.shorten(markers[mark.numbers.lowerBound - 1].name, to: LabelLayout.nameLength)
            let (width, box) = (style.width(text, style.nameLetters), mark.box)
            let height = style.nameLetters * 1.3
            let lefts = [box.left + box.width + style.gap, box.left - style.gap - width]
            let left = lefts.first { left in
                left >= 0 && left + width <= frame.width
                    && layout.take(.init(left: left, top: mark.middle.y - height / 2, width: width, height: height))
            }
            if let left { names.append(Name(text: text, left: left, middle: mark.middle.y)) }
        }
    }
}

extension PictureFrame {
    /// Returns whether a place is in the picture.
    func contains(_ point: Point) -> Bool { (0...width).contains(point.x) && (0...height).contains(point.y) }
}
