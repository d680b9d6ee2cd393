import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport

@testable import RegionStore
@testable import TrackFiles

/// An item that a test makes, and edits at random.
protocol RandomItem: RegionItem {
    static var kind: ResourceKind { get }

    static func make(_ id: UUID) throws -> Self

    /// Changes one thing that a hiker can change, possibly to nothing.
    mutating func edit(_ generator: inout SeededGenerator)
}

enum RandomItems {
    static let tracks = (1...2).map { (try? Items.track(count: $0)) ?? Data() }

    /// Tables of points, and none.
    static let tables: [Data?] =
        [nil]
        + (1...2).map { count in
            var table = TrackColumns(pointCount: 1)
            table.set(TrackColumns.Column.elevation.rawValue) { _ in Int64(count) }
            return table.encoded
        }
}

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func oneOf<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func gpxWords() -> ItemWords? {
        var words = ItemWords()
        words.symbol = oneOf([nil, "Summit", "Flag, Blue"])
        words.type = oneOf([nil, "hut"])
        words.time = oneOf([nil, ""])
        return oneOf([nil, words])
    }

    mutating func words() -> String { oneOf(["", "Hut", "Spring", "Snow in the gully"]) }
}

extension Waypoint: RandomItem {
    static var kind: ResourceKind { .waypoints }

    static func make(_ id: UUID) throws -> Waypoint { try Items.waypoint(id: id) }

    mutating func edit(_ generator: inout SeededGenerator) {
        switch generator.below(6) {
        case 5: supplement.words = generator.gpxWords()
        case 0: label = generator.words()
        case 1, 2: note = generator.words()
        case 3: hasPhoto.toggle()
        default: elevation = generator.oneOf([nil, 1900, 1922])
        }
    }
}

extension SavedRoute: RandomItem {
    static var kind: ResourceKind { .savedroutes }

    static func make(_ id: UUID) throws -> SavedRoute { try Items.hike(id: id) }

    mutating func edit(_ generator: inout SeededGenerator) {
        switch generator.below(8) {
        case 5: supplement.words = generator.gpxWords()
        case 6: supplement.track = generator.oneOf(RandomItems.tables)
        case 7: supplement.sensors = generator.oneOf(RandomItems.tables)
        case 0: name = generator.words()
        case 1, 2: comment = generator.words()
        case 3: averageHeartRate = generator.oneOf([nil, 120, 130])
        default: trackData = generator.oneOf([Data(), RandomItems.tracks[0], RandomItems.tracks[1]])
        }
    }
}

extension PlannedRoute: RandomItem {
    static var kind: ResourceKind { .plannedroutes }

    static func make(_ id: UUID) throws -> PlannedRoute { try Items.plannedRoute(id: id) }

    mutating func edit(_ generator: inout SeededGenerator) {
        switch generator.below(8) {
        case 3: supplement.words = generator.gpxWords()
        case 4: supplement.track = generator.oneOf(RandomItems.tables)
        case 5: coordinates = generator.oneOf([coordinates.reversed(), Array(coordinates.prefix(2))])
        case 6:
            let texts = PointTexts(index: generator.below(3))
            supplement.pointTexts = generator.oneOf([nil, [texts]])
        case 0: name = generator.words()
        case 1: mode = mode == .hiking ? .cycling : .hiking
        case 2: turnInstructions = []
        default: viaPoints = generator.oneOf([[], coordinates])
        }
    }
}
