import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// The cheapest ways, against a search of the test's own.
@Suite(.timeLimit(.minutes(5))) struct SearchTests {
    @Test(arguments: 1...4) func costsAreThoseOfDijkstra(seed: UInt64) async throws {
        let test = TestGraph.grid(seed: seed)
        let graph = try await test.read()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let start = Int.random(in: test.nodes.indices, using: &generator)
            let costs = test.costs(from: start)
            for end in test.nodes.indices where Int.random(in: 0..<8, using: &generator) == 0 {
                #expect(graph.cost(start, end) == costs[end], "\(start) to \(end)")
            }
        }
    }

    @Test func placesAtNodesStartThere() async throws {
        let test = TestGraph.grid(seed: 5)
        let graph = try await test.read()
        var generator = SeededGenerator(seed: 5)
        let costs = test.costs(from: 40)
        for _ in 0..<60 {
            let end = Int.random(in: test.nodes.indices, using: &generator)
            let places = [try test.place(40), try test.place(end)]
            guard let cost = costs[end] else {
                #expect(throws: PlanningError.self) { try graph.ways(through: places, atMost: 1) }
                continue
            }
            let way = try #require(graph.ways(through: places, atMost: 1).first)
            #expect(way.cost == cost)
            #expect(end == 40 || way.coordinates.first == places[0] && way.coordinates.last == places[1])
        }
    }

    @Test func cyclesWithoutCostEnd() async throws {
        var test = TestGraph(nodes: TestGraph.nodes(9, inRow: 3), edges: [])
        for index in 0..<9 {
            for next in 0..<9 where next != index { test.edges.append(.init(index, next, 0)) }
            test.edges.append(.init(index, index, 0))
        }
        let graph = try await test.read()
        let ways = try graph.ways(through: [test.place(0), test.place(8)])
        #expect(ways.map(\.cost) == [0])
        #expect(ways[0].distance > 0)
    }

    @Test func edgesOfOneWayAreNotWalkedBack() async throws {
        var test = TestGraph(
            nodes: TestGraph.nodes(4, inRow: 2),
            edges: [.init(0, 1, 10), .init(1, 3, 1), .init(3, 2, 1), .init(2, 0, 1)]
        )
        test.edges[0].isOneWay = true
        let graph = try await test.read()
        let (start, end) = (try test.place(0), try test.place(1))
        #expect(try graph.ways(through: [start, end]).first?.cost == 3)
        #expect(try graph.ways(through: [end, start]).first?.cost == 3)
        // A finite cost against the direction does not count, as in OpenHiker.
        let two = TestGraph(nodes: test.nodes, edges: [test.edges[0]])
        let alone = try await two.read()
        #expect(try alone.ways(through: [start, end]).first?.cost == 10)
        #expect(throws: PlanningError.noWay(from: 0, reached: end, metres: Geodesy.distance(start, end))) {
            try alone.ways(through: [end, start])
        }
    }

    @Test func saysWhereTheGraphEnds() async throws {
        let test = TestGraph(nodes: TestGraph.nodes(5), edges: [.init(0, 1, 80), .init(1, 2, 80), .init(3, 4, 80)])
        let graph = try await test.read()
        let places = try [0, 1, 4].map(test.place)
        let gap = Geodesy.distance(try test.place(2), places[2])
        #expect(throws: PlanningError.noWay(from: 1, reached: try test.place(2), metres: gap)) {
            try graph.ways(through: places)
        }
        #expect(throws: PlanningError.tooFewPlaces) { try graph.ways(through: Array(places.prefix(1))) }
        let far = try #require(Coordinate(latitude: 42.5, longitude: 1.6))
        let error = #expect(throws: PlanningError.self) { try graph.ways(through: [places[0], far]) }
        guard case .tooFar(place: 1, let metres) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(metres - Geodesy.distance(far, try test.place(4))) < 1)
    }

    @Test func acrossTheAntimeridian() async throws {
        var test = TestGraph(nodes: TestGraph.nodes(4), edges: [.init(0, 1, 100), .init(1, 2, 100), .init(2, 3, 100)])
        for index in test.nodes.indices {
            test.nodes[index].longitude = index < 2 ? 179.998 + 0.001 * Double(index) : -180 + 0.001 * Double(index - 1)
        }
        let graph = try await test.read()
        #expect(graph.bounds.crosses180)
        let way = try #require(try graph.ways(through: [test.place(0), test.place(3)]).first)
        #expect(way.cost == 300 && way.distance < 400)
        let between = try [(42.5, -179.9999), (42.5001, 179.9995)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let part = try #require(try graph.ways(through: between).first)
        #expect(part.distance < 60)
        #expect(abs(part.coordinates[0].longitude + 179.9999) < 1e-9)
    }
}
