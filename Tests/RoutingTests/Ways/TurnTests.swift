import Foundation
import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// Turn instructions in OpenHiker's form.
@Suite struct TurnTests {
    @Test(arguments: [
        (0.0, nil as TurnDirection?), (14.9, nil), (15.1, .slightRight), (44.9, .slightRight), (45.1, .right),
        (134.9, .right),
        (135.1, .sharpRight), (169.9, .sharpRight), (170.1, .uTurn), (180, .uTurn), (-14.9, nil), (-15.1, .slightLeft),
        (-45.1, .left), (-135.1, .sharpLeft), (-170.1, .uTurn),
    ])
    func directionsAreThoseOfOpenHiker(change: Double, direction: TurnDirection?) {
        for before in [0.0, 10, 170, 359] {
            let after = (before + change + 360).truncatingRemainder(dividingBy: 360)
            #expect(TurnFinder.turn(from: before, to: after)?.direction == direction, "\(before)")
        }
    }

    @Test func bearingsAreFromNorth() throws {
        let start = try #require(Coordinate(latitude: 42.5, longitude: 1.5))
        for (latitude, longitude, bearing) in [(42.6, 1.5, 0.0), (42.5, 1.51, 90), (42.4, 1.5, 180), (42.5, 1.49, 270)]
        {
            let end = try #require(Coordinate(latitude: latitude, longitude: longitude))
            #expect(abs(TurnFinder.bearing(start, end) - bearing) < 0.01)
        }
    }

    /// East on a road, north on a path, straight on, a short bend, and sharply back.
    private static func graph() -> TestGraph {
        let positions = [(0.0, 0.0), (0, 2), (2, 2), (4, 2), (4.1, 2.15), (2, 4)]
        let nodes = positions.enumerated().map {
            TestGraph.Node(id: $0, latitude: 0.001 * $1.0, longitude: 0.001 * $1.1)
        }
        var edges: [TestGraph.Edge] = [
            .init(0, 1, 300), .init(2, 1, 300), .init(2, 3, 300), .init(3, 4, 300), .init(4, 5, 300),
        ]
        edges[0].name = "Carrer Major"
        edges[1].name = "GR 11"
        // Comes to node 1 from the north, whatever is between.
        edges[1].points = [(0.0015, 0.0022), (0.001, 0.002)]
        return TestGraph(nodes: nodes, edges: edges)
    }

    @Test func saysWhereToTurn() async throws {
        let test = Self.graph()
        let graph = try await test.read()
        let way = try #require(try graph.ways(through: [test.place(0), test.place(5)]).first)
        let turns = way.turns
        // At node 2, the way comes from the southeast and goes on to the north. Node 4 is less than 50 m after node 3.
        #expect(turns.map(\.direction) == [.start, .left, .slightRight, .right, .arrive])
        #expect(turns.first?.description == "Head east on Carrer Major")
        #expect(turns[1].description == "Turn left onto GR 11")
        #expect(turns[1].coordinate == (try test.place(1)) && turns[1].bearing < 0.01)
        #expect(turns[2].description == "Bear right heading north" && turns[2].trailName == nil)
        #expect(turns[3].description == "Turn right heading northeast")
        #expect(try turns[3].coordinate == test.place(3))
        #expect(turns.last?.description == "Arrive at destination" && turns.last?.bearing == 0)
        #expect(!turns.contains { $0.direction == .straight })
        for (turn, next) in zip(turns, turns.dropFirst()) {
            #expect(abs(next.cumulativeDistance - turn.cumulativeDistance - next.distanceFromPrevious) < 1e-9)
            #expect(next.distanceFromPrevious >= 50 || next.direction == .arrive)
        }
        #expect(turns.last?.cumulativeDistance == way.distance)
        #expect(turns.dropFirst().dropLast().allSatisfy { $0.trailName != nil || $0.description.contains(" heading ") })
    }

    @Test func longWaysHaveABoundOfTurns() async throws {
        let nodes = (0..<4200).map {
            TestGraph.Node(id: $0, latitude: 0.0001 * Double($0), longitude: 0.001 * Double($0 % 2))
        }
        let test = TestGraph(nodes: nodes, edges: (1..<nodes.count).map { .init($0 - 1, $0, 200) })
        let graph = try await test.read()
        let way = try #require(try graph.ways(through: [test.place(0), test.place(4199)]).first)
        #expect(way.turns.count == 4001 && way.turns.last?.direction == .arrive)
        #expect(way.turns.last?.cumulativeDistance == way.distance)
        let route = way.route(called: "Zigzag", id: UUID(), of: UUID(), at: .now)
        #expect(try JSONEncoder().encode(route.turnInstructions).count < ModelLimits.maximumTurnsLength)
    }

    @Test func backFromAViaPoint() async throws {
        let test = Self.graph()
        let graph = try await test.read()
        let way = try #require(try graph.ways(through: [test.place(0), test.place(1), test.place(0)]).first)
        #expect(way.turns.map(\.direction) == [.start, .uTurn, .arrive])
        #expect(way.turns[1].description == "U-turn onto Carrer Major")
    }

    @Test func geometryIsTurnedAround() async throws {
        let test = Self.graph()
        let graph = try await test.read()
        // Node 1 to 2 is against the edge.
        let way = try #require(try graph.ways(through: [test.place(1), test.place(2)]).first)
        #expect(way.coordinates.map(\.latitude) == [0, Double(Float(0.001)), Double(Float(0.0015)), 0.002])
        #expect(way.turns[0].bearing < 0.01)
    }
}
