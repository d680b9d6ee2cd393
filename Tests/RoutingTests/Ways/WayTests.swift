import Foundation
import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// What a way consists of.
@Suite struct WayTests {
    private static func graph() -> TestGraph {
        var nodes = TestGraph.nodes(5)
        for (index, elevation) in [1000.0, 1050, nil, 1020, 1100].enumerated() { nodes[index].elevation = elevation }
        var edges: [TestGraph.Edge] = [.init(0, 1, 100), .init(2, 1, 100), .init(2, 3, 100), .init(3, 4, 100)]
        for (index, values) in [(60.0, 10.0), (20, 5), (0, 25), (80, 0)].enumerated() {
            (edges[index].gain, edges[index].loss, edges[index].distance) = (values.0, values.1, 100)
            edges[index].name = index < 2 ? "Camí dels Estanys" : nil
        }
        edges[2].sacScale = "mountain_hiking"
        edges[2].visibility = "bad"
        edges[3].sacScale = "demanding_mountain_hiking"
        edges[3].highway = "steps"
        edges[3].surface = "rock"
        return TestGraph(nodes: nodes, edges: edges)
    }

    private static func way(_ from: Int, _ to: Int) async throws -> PlannedWay {
        let test = graph()
        return try #require(try await test.read().ways(through: [test.place(from), test.place(to)]).first)
    }

    @Test func addsAscentsAndDescents() async throws {
        let (there, back) = (try await Self.way(0, 4), try await Self.way(4, 0))
        #expect(there.distance == 400 && there.ascent == 60 + 5 + 0 + 80 && there.descent == 10 + 20 + 25 + 0)
        #expect(back.distance == 400 && back.ascent == there.descent && back.descent == there.ascent)
        #expect(back.coordinates == there.coordinates.reversed())
        let profile = [(0.0, 1000.0), (100, 1050), (300, 1020), (400, 1100)].map {
            ElevationSample(distance: $0.0, elevation: $0.1)
        }
        #expect(there.profile == profile)
        #expect(
            back.profile
                == profile.reversed().map { ElevationSample(distance: 400 - $0.distance, elevation: $0.elevation) }
        )
    }

    @Test func partsOfEdgesHavePartsOfTheirAscent() async throws {
        let graph = try await Self.graph().read()
        let ends = try [1.50025, 1.50325].map { try #require(Coordinate(latitude: 42.5, longitude: $0)) }
        let way = try #require(try graph.ways(through: ends).first)
        #expect(abs(way.ascent - (45 + 5 + 0 + 20)) < 1e-4 && abs(way.descent - (7.5 + 20 + 25)) < 1e-4)
        #expect(abs(way.distance - 300) < 1e-4)
        let elevations = way.profile.map(\.elevation)
        #expect(
            zip(elevations, [1012.5, 1050, 1020, 1040]).allSatisfy { abs($0 - $1) < 1e-4 } && elevations.count == 4
        )
    }

    @Test func saysWhatAWayConsistsOf() async throws {
        let way = try await Self.way(0, 4)
        #expect(
            way.stretches == [
                WayStretch(kind: .path, name: "Camí dels Estanys", start: 0, distance: 200),
                WayStretch(kind: .path, sacScale: .mountainHiking, visibility: .bad, start: 200, distance: 100),
                WayStretch(
                    kind: .steps,
                    sacScale: .demandingMountainHiking,
                    surface: "rock",
                    start: 300,
                    distance: 100
                ),
            ]
        )
        #expect(way.hardest == way.stretches[2])
        #expect(try await Self.way(0, 3).hardest == way.stretches[1])
        #expect(try await Self.way(0, 1).hardest == nil)
        #expect(way.composition.map(\.kind) == [.path, .steps] && way.composition.map(\.metres) == [300, 100])
    }

    @Test func hardnessIsByScaleThenVisibility() {
        func stretch(_ scale: SACScale?, _ visibility: TrailVisibility?, _ distance: Double) -> WayStretch {
            WayStretch(kind: .path, sacScale: scale, visibility: visibility, start: 0, distance: distance)
        }
        var way = PlannedWay.straight(through: [.origin, .origin])
        way.stretches = [
            stretch(nil, .no, 9), stretch(.hiking, nil, 9), stretch(.alpineHiking, .good, 9),
            stretch(.alpineHiking, .bad, 3), stretch(.alpineHiking, .bad, 4),
        ]
        #expect(way.hardest == way.stretches[4])
        way.stretches.removeLast(4)
        #expect(way.hardest?.visibility == .no)
        #expect(SACScale.allCases == SACScale.allCases.sorted() && SACScale.difficultAlpineHiking.grade == 6)
        #expect(TrailVisibility.allCases == TrailVisibility.allCases.sorted())
    }

    @Test func straightLinesAreMarked() throws {
        let places = try [(42.5, 1.5), (42.51, 1.5), (42.51, 1.52)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let way = PlannedWay.straight(through: places)
        #expect(
            way.isStraight && way.coordinates == places && way.cost == 0 && way.turns.isEmpty && way.profile.isEmpty
        )
        #expect(abs(way.distance - (1112 + 1639)) < 2)
        #expect(way.composition.map(\.kind) == [.straight] && way.hardest == nil)
        #expect(PlannedWay.straight(through: []).distance == 0)
    }

    /// A route is in the form of OpenHiker's models.
    @Test func becomesAPlannedRoute() async throws {
        let way = try await Self.way(0, 4)
        let (id, region) = (UUID(), UUID())
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let route = way.route(called: "Estanys", id: id, of: region, at: date, pace: .din33466)
        #expect(route.start == way.coordinates.first && route.end == way.coordinates.last && route.viaPoints.isEmpty)
        #expect(
            route.estimatedDuration == Pace.din33466.duration(distance: 400, ascent: way.ascent, descent: way.descent)
        )
        #expect(route.regionID == region && route.mode == .hiking && route.elevationProfile == way.profile)
        let data = try JSONEncoder().encode(route)
        #expect(try JSONDecoder().decode(PlannedRoute.self, from: data) == route)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            Set(object.keys) == [
                "id", "name", "mode", "startCoordinate", "endCoordinate", "viaPoints", "coordinates",
                "turnInstructions",
                "totalDistance", "estimatedDuration", "elevationGain", "elevationLoss", "createdAt", "regionId",
                "elevationProfile",
            ]
        )
        let turn = try #require((object["turnInstructions"] as? [[String: Any]])?.first)
        #expect(
            Set(turn.keys) == [
                "coordinate", "direction", "bearing", "distanceFromPrevious", "cumulativeDistance", "trailName",
                "description",
            ]
        )
        #expect(turn["direction"] as? String == "start")
    }

    @Test func longLinesAreThinned() throws {
        var way = PlannedWay.straight(through: [.origin, .origin])
        way.coordinates = try (0..<60_001).map { try #require(Coordinate(latitude: Double($0) / 1000, longitude: 1)) }
        let route = way.route(called: "Long", id: UUID(), of: UUID(), at: .now, pace: .din33466)
        #expect(route.coordinates.count <= 25_000 && route.coordinates.count > 20_000)
        #expect(route.start == way.coordinates.first && route.coordinates.first == route.start)
        #expect(route.end == way.coordinates.last && route.coordinates.last == route.end)
    }
}
