import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// Several ways between two places.
@Suite struct AlternativeTests {
    /// The steps of a way between the points of its line.
    private static func steps(_ way: PlannedWay) -> [[Coordinate]: Double] {
        zip(way.coordinates, way.coordinates.dropFirst()).reduce(into: [:]) { steps, step in
            steps[[step.0, step.1].sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }, default: 0] +=
                Geodesy.distance(step.0, step.1)
        }
    }

    @Test(arguments: 1...6) func differFromEveryBetterOne(seed: UInt64) async throws {
        let test = TestGraph.grid(seed: seed)
        let graph = try await test.read()
        var generator = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<8 {
            let ends = (0..<2).map { _ in Int.random(in: test.nodes.indices, using: &generator) }
            let places = try ends.map(test.place)
            guard let ways = try? graph.ways(through: places, atMost: 4) else { continue }
            count += ways.count - 1
            #expect(ways.first?.cost == test.costs(from: ends[0])[ends[1]])
            #expect((1...4).contains(ways.count))
            for (index, way) in ways.enumerated() {
                #expect(Set(way.coordinates).count == way.coordinates.count || way.distance == 0)
                #expect(way.coordinates.first == places[0] && way.coordinates.last == places[1])
                #expect(way.cost <= 1.6 * ways[0].cost)
                for better in ways.prefix(index) {
                    #expect(better.cost <= way.cost)
                    let (steps, others) = (Self.steps(way), Self.steps(better))
                    let other = steps.reduce(0) { $0 + (others[$1.key] == nil ? $1.value : 0) }
                    #expect(other > way.distance / 3 * 0.999_999)
                }
            }
        }
        #expect(count > 0)
    }

    @Test func bothSidesOfALake() async throws {
        // From 0 to 3: by 1 and 2 in the south, by 4 and 5 in the north, and by 6 far away.
        let positions = [(0.0, 0.0), (-1, 1), (-1, 2), (0, 3), (1, 1), (1, 2), (9, 1)]
        let nodes = positions.enumerated().map {
            TestGraph.Node(id: $0, latitude: 42.5 + 0.001 * $1.0, longitude: 1.5 + 0.001 * $1.1)
        }
        let edges: [TestGraph.Edge] = [
            .init(0, 1, 150), .init(1, 2, 100), .init(2, 3, 150), .init(0, 4, 160), .init(4, 5, 110), .init(5, 3, 160),
            .init(0, 6, 1000), .init(6, 3, 1000), .init(1, 4, 250),
        ]
        let test = TestGraph(nodes: nodes, edges: edges)
        let graph = try await test.read()
        let places = try [0, 3].map(test.place)
        #expect(try graph.ways(through: places).map(\.cost) == [400, 430])
        #expect(try graph.ways(through: places, atMost: 1).map(\.cost) == [400])
        #expect(try graph.ways(through: [places[0], test.place(1), places[1]]).map(\.cost) == [400])
        // From the middle of an edge to the middle of another one.
        let between = try [(42.5005, 1.5005), (42.4995, 1.5025)].map {
            try #require(Coordinate(latitude: $0.0, longitude: $0.1))
        }
        let ways = try graph.ways(through: between)
        #expect(ways.count == 2)
        #expect(
            abs(ways[0].cost - (80 + 110 + 160 + 75)) < 0.1 && abs(ways[1].cost - (80 + 150 + 100 + 75)) < 0.1
                || ways[0].cost <= ways[1].cost
        )
    }
}
