import Foundation
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages
@testable import Routing

/// What the map gets of ways that were planned.
@Suite struct PlanDataTests {
    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    private static func json(_ data: PlanData?) throws -> [String: Any] {
        let bytes = try PageJSON.encode(try #require(data))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func way() throws -> PlannedWay {
        let line = try [place(42.57, 1.48), place(42.58, 1.48), place(42.59, 1.48)]
        return PlannedWay(
            places: [line[0], line[2]],
            coordinates: line,
            cost: 4000,
            distance: 2224,
            ascent: 300,
            descent: 0,
            profile: [
                ElevationSample(distance: 0, elevation: 1500), ElevationSample(distance: 1112, elevation: 1600),
                ElevationSample(distance: 2224, elevation: 1800),
            ],
            stretches: [
                WayStretch(kind: .track, start: 0, distance: 1000),
                WayStretch(kind: .path, sacScale: .mountainHiking, start: 1000, distance: 200),
                WayStretch(kind: .path, sacScale: .alpineHiking, visibility: .bad, start: 1200, distance: 400),
                WayStretch(kind: .path, sacScale: .mountainHiking, start: 1600, distance: 400),
                WayStretch(
                    kind: .path,
                    sacScale: .alpineHiking,
                    visibility: .bad,
                    name: "Ridge",
                    start: 2000,
                    distance: 224
                ),
            ],
            turns: [],
            isStraight: false
        )
    }

    @Test func aWayIsDrawnWithItsFigures() throws {
        let data = try Self.json(PlanData([try Self.way()], hasGraph: true, leavesMap: true))
        #expect(data["hasGraph"] as? Bool == true && data["leavesMap"] as? Bool == true && data["problem"] == nil)
        let way = try #require((data["ways"] as? [[String: Any]])?.first)
        #expect(way["distance"] as? Double == 2224 && way["ascent"] as? Double == 300 && way["descent"] as? Double == 0)
        // 1 h for the height, and half of 33 min for the distance.
        #expect(abs((way["duration"] as? Double ?? 0) - 4600.8) < 0.1, "\(way)")
        #expect(way["segments"] as? [[Double]] == [[42.57, 1.48, 42.59, 1.48]], "\(way)")
        let profile = try #require(way["profile"] as? [[Double]])
        #expect(profile.count == 3 && profile.first == [0, 1500, 42.57, 1.48] && profile.last?.first == 2224)
        let parts = try #require(way["parts"] as? [[String: Any]])
        #expect(parts.map { $0["kind"] as? String } == ["path", "track"], "\(parts)")
        #expect(parts.map { $0["distance"] as? Double } == [1224, 1000], "\(parts)")
        let hardest = try #require(way["hardest"] as? [String: Any])
        #expect(hardest["sacScale"] as? String == "alpine_hiking" && hardest["visibility"] as? String == "bad")
        #expect(hardest["distance"] as? Double == 624, "\(hardest)")
        #expect(way["isStraight"] as? Bool == false)
    }

    @Test func straightLinesHaveNoProfile() throws {
        let places = try [Self.place(42.57, 1.48), Self.place(42.58, 1.48)]
        let data = try Self.json(PlanData([.straight(through: places)], hasGraph: false, leavesMap: false))
        let way = try #require((data["ways"] as? [[String: Any]])?.first)
        #expect(data["hasGraph"] as? Bool == false && way["isStraight"] as? Bool == true)
        #expect(way["profile"] == nil && way["hardest"] == nil)
        #expect(way["segments"] as? [[Double]] == [[42.57, 1.48, 42.58, 1.48]])
    }

    @Test func problemsSayWhere() throws {
        let far = try #require(try Self.json(PlanData(.tooFar(place: 1, metres: 3200)))["problem"] as? [String: Any])
        #expect(far["kind"] as? String == "tooFar" && far["place"] as? Int == 1 && far["distance"] as? Double == 3200)
        let empty = try #require(
            try Self.json(PlanData(.tooFar(place: 0, metres: .infinity)))["problem"] as? [String: Any]
        )
        // A number in a page is finite.
        #expect(empty["distance"] as? String == "inf")
        let end = try Self.place(42.5801234, 1.47)
        let none = try #require(
            try Self.json(PlanData(.noWay(from: 0, reached: end, metres: 800)))["problem"] as? [String: Any]
        )
        #expect(none["kind"] as? String == "noWay" && none["reached"] as? [Double] == [42.580123, 1.47])
        #expect(PlanData(.tooFewPlaces).map { _ in true } == nil)
    }
}
