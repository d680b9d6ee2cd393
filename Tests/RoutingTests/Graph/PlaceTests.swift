import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// Places beside the graph.
@Suite struct PlaceTests {
    /// A line of three edges; the one in the middle goes around by the north.
    private static func graph() -> TestGraph {
        var graph = TestGraph(
            nodes: TestGraph.nodes(4),
            edges: [.init(0, 1, 100, 200), .init(2, 1, 50, 400), .init(2, 3, 100)]
        )
        graph.edges[1].points = [(42.501, 1.502), (42.501, 1.501)]
        return graph
    }

    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test func startsWithAPartOfAnEdge() async throws {
        let graph = try await Self.graph().read()
        let start = try Self.place(42.4995, 1.50025)
        let end = try Self.place(42.5, 1.503)
        let way = try #require(try graph.ways(through: [start, end]).first)
        #expect(abs(way.cost - (75 + 400 + 100)) < 1e-6)
        #expect(way.places == [start, end])
        #expect(abs(way.coordinates[0].latitude - 42.5) < 1e-12 && abs(way.coordinates[0].longitude - 1.50025) < 1e-9)
        let back = try #require(try graph.ways(through: [end, start]).first)
        #expect(abs(back.cost - (100 + 50 + 150)) < 1e-6)
        #expect(back.coordinates == way.coordinates.reversed())
        #expect(abs(back.distance - way.distance) < 1e-9)
    }

    @Test func staysOnTheEdgeOfBothPlaces() async throws {
        let graph = try await Self.graph().read()
        // A quarter and three quarters of the part in the north, which is a little more than a third of the edge.
        let places = [try Self.place(42.5012, 1.50125), try Self.place(42.5012, 1.50175)]
        let line = graph.points(of: 1)
        let there = try #require(try graph.ways(through: places).first)
        let back = try #require(try graph.ways(through: places.reversed()).first)
        let share = there.distance / zip(line, line.dropFirst()).reduce(0) { $0 + Geodesy.distance($1.0, $1.1) }
        #expect(abs(there.distance - 41) < 1)
        #expect(abs(there.cost - 400 * share) < 0.1 && abs(back.cost - 50 * share) < 0.1)
        #expect(there.coordinates.count == 2 && there.coordinates == back.coordinates.reversed())
    }

    @Test func goesAroundWhereTheEdgeIsOneWay() async throws {
        var test = TestGraph(
            nodes: TestGraph.nodes(4, inRow: 2),
            edges: [.init(0, 1, 10), .init(1, 3, 1), .init(3, 2, 1), .init(2, 0, 1)]
        )
        test.edges[0].isOneWay = true
        let graph = try await test.read()
        let places = [try Self.place(42.4999, 1.50025), try Self.place(42.4999, 1.50075)]
        #expect(abs(try #require(try graph.ways(through: places).first).cost - 5) < 1e-6)
        #expect(abs(try #require(try graph.ways(through: places.reversed()).first).cost - 8) < 1e-6)
    }

    @Test func aPlaceCanBeTheNext() async throws {
        let test = Self.graph()
        let graph = try await test.read()
        let same = try #require(try graph.ways(through: [test.place(1), test.place(1)]).first)
        #expect(same.cost == 0 && same.distance == 0 && same.coordinates.count == 2 && same.stretches.isEmpty)
        // Less than a metre from a node is at the node.
        let near = try Self.place(42.5, 1.503 - 0.000_005)
        let way = try #require(try graph.ways(through: [test.place(0), near]).first)
        #expect(way.cost == 600)
        #expect(way.coordinates.last == (try test.place(3)))
    }

    @Test func findsTheNearestOfAll() async throws {
        let test = TestGraph.grid(seed: 9, side: 12)
        let graph = try await test.read()
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            let place = try Self.place(
                .random(in: 42.495...42.517, using: &generator),
                .random(in: 1.495...1.517, using: &generator)
            )
            // Many points of every edge.
            var least = Double.infinity
            for edge in graph.edges.indices {
                let ends = graph.points(of: edge)
                let (start, end) = (ends[0], ends[1])
                for step in 0...100 {
                    let part = Double(step) / 100
                    let point = try Self.place(
                        start.latitude + part * (end.latitude - start.latitude),
                        start.longitude + part * (end.longitude - start.longitude)
                    )
                    least = min(least, Geodesy.distance(place, point))
                }
            }
            let found = try #require(graph.nearest(to: place))
            #expect(found.metres <= least + 1 && found.metres >= least - 1)
        }
    }

    /// A line of 20 edges, and a path of a hundred metres north of its start that meets nothing.
    private static func island(north: Double) -> TestGraph {
        var nodes = TestGraph.nodes(21)
        nodes.append(.init(id: 21, latitude: 42.5 + north, longitude: 1.500))
        nodes.append(.init(id: 22, latitude: 42.5 + north, longitude: 1.501))
        return TestGraph(nodes: nodes, edges: (0..<20).map { .init($0, $0 + 1, 100) } + [.init(21, 22, 100)])
    }

    @Test func aTinyIslandIsNoPlaceToStart() async throws {
        let test = Self.island(north: 0.001)
        let graph = try await test.read()
        let way = try #require(try graph.ways(through: [test.place(22), test.place(20)]).first)
        #expect(way.cost == 1900)
        #expect(way.coordinates.first == (try test.place(1)))
        let onIsland = try #require(try graph.ways(through: [test.place(21), test.place(22)]).first)
        #expect(onIsland.cost == 100)
    }

    @Test func anIslandFarFromOtherWaysIsAGap() async throws {
        let test = Self.island(north: 0.003)
        let graph = try await test.read()
        #expect(throws: PlanningError.self) { try graph.ways(through: [test.place(22), test.place(20)]) }
    }

    @Test func viaPointsComeInOrder() async throws {
        let test = TestGraph.grid(seed: 6)
        let graph = try await test.read()
        let places = try [30, 500, 44, 301].map(test.place)
        let way = try #require(try graph.ways(through: places).first)
        let legs = try zip(places, places.dropFirst()).map {
            try #require(try graph.ways(through: [$0, $1], atMost: 1).first)
        }
        #expect(way.cost == legs.reduce(0) { $0 + $1.cost })
        #expect(abs(way.distance - legs.reduce(0) { $0 + $1.distance }) < 1e-6)
        #expect(way.coordinates == legs.dropFirst().reduce(legs[0].coordinates) { $0 + $1.coordinates.dropFirst() })
        var rest = way.coordinates[...]
        for place in places {
            let index = try #require(rest.firstIndex(of: place))
            rest = rest[index...]
        }
    }
}
