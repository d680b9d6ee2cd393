import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages

/// The marks and numbers of waypoints on a picture or a sheet.
@Suite struct MarkedMapTests {
    private let style = MarkedMap.Style(letters: 4, nameLetters: 5, width: LabelLayout.width)

    private let frame: PictureFrame

    /// A map of about 800 × 630 points.
    init() throws {
        frame = PictureFrame(
            try #require(BoundingBox(north: 42.6, south: 42.56, east: 1.5, west: 1.43)),
            zoomLevel: 14
        )
    }

    private static func markers(_ places: [PictureFrame.Point]) -> PictureItems {
        var items = PictureItems()
        items.markers = places.enumerated().map { index, place in
            let category = index.isMultiple(of: 2) ? "food" : "danger"
            return .init(number: 0, name: "P\(index)", facts: "", place: "", category: category, point: place)
        }
        return items
    }

    private func places(_ count: Int, seed: UInt64, everywhere: Bool) -> [PictureFrame.Point] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let (width, height) = everywhere ? (frame.width, frame.height) : (60, 40)
            return PictureFrame.Point(
                x: .random(in: 0...width, using: &generator),
                y: .random(in: 0...height, using: &generator)
            )
        }
    }

    /// However many waypoints there are: no mark lies over another, all are on the map, and each number is on one mark.
    @Test(arguments: [1, 2, 46, 336, 5_046], [true, false])
    func eachNumberIsOnOneMarkThatCanBeRead(count: Int, everywhere: Bool) {
        let marked = MarkedMap(
            Self.markers(places(count, seed: UInt64(count), everywhere: everywhere)),
            in: frame,
            style
        )
        #expect(marked.markers.map(\.number) == Array(1...count) && marked.shownCount == count)
        #expect(Set(marked.markers.map(\.name)).count == count)
        #expect(marked.marks.flatMap { Array($0.numbers) } == Array(1...count))
        for (index, mark) in marked.marks.enumerated() {
            let box = mark.box
            #expect(!marked.marks[..<index].contains { $0.box.covers(box) })
            #expect(box.left > -0.01 && box.left + box.width < frame.width + 0.01)
            #expect(box.top > -0.01 && box.top + box.height < frame.height + 0.01)
        }
        let covered = marked.marks.reduce(0) { $0 + $1.box.width * $1.box.height }
        #expect(covered <= max(frame.width * frame.height / 10, 400))
    }

    /// A few waypoints that do not touch each other are where they are.
    @Test func singleWaypointsStayAtTheirPlaces() {
        let places = [(100.0, 100.0), (300, 100), (200, 400)].map { PictureFrame.Point(x: $0.0, y: $0.1) }
        let marked = MarkedMap(Self.markers(places), in: frame, style)
        #expect(marked.marks.map(\.middle) == places && marked.marks.map(\.text) == ["1", "2", "3"])
        #expect(marked.names.map(\.text) == ["P0", "P1", "P2"])
        #expect(marked.marks.map(\.color) == ["#ef6c00", "#d50000", "#ef6c00"])
    }

    @Test func whatIsAtOnePlaceIsOneMark() {
        let places = [PictureFrame.Point](repeating: .init(x: 200, y: 200), count: 4) + [.init(x: 500, y: 210)]
        let marked = MarkedMap(Self.markers(places), in: frame, style)
        #expect(marked.marks.map(\.text) == ["1–4", "5"] && marked.marks[0].color == MarkedMap.color)
        // Those of a kind follow each other.
        #expect(marked.markers.map(\.category) == ["danger", "danger", "food", "food", "food"])
        #expect(marked.names.map(\.text) == ["P4"])
    }

    @Test func whatIsNotOnTheMapIsLast() {
        let places = [(-50.0, 10.0), (100, 100), (1e9, -1e9)].map { PictureFrame.Point(x: $0.0, y: $0.1) }
        let marked = MarkedMap(Self.markers(places), in: frame, style)
        #expect(marked.markers.map(\.name) == ["P1", "P0", "P2"] && marked.shownCount == 1 && marked.marks.count == 1)
    }

    /// Names lie neither over each other nor over marks.
    @Test func namesCoverNothing() {
        let marked = MarkedMap(Self.markers(places(55, seed: 7, everywhere: true)), in: frame, style)
        #expect(marked.names.count > 10)
        let boxes = marked.names.map { name in
            PictureFrame.Box(
                left: name.left,
                top: name.middle - 3,
                width: LabelLayout.width(of: name.text, letters: 5),
                height: 6
            )
        }
        for (index, box) in boxes.enumerated() {
            #expect(!boxes[..<index].contains(where: box.covers) && !marked.marks.contains { $0.box.covers(box) })
        }
    }
}
