import Foundation
import GRDB
import MapFiles
import PeerTestSupport
import RegionModel
import Testing

@testable import Routing

/// Graphs that were made to harm, or are broken.
@Suite struct HostileGraphTests {
    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sql: String
        var message: String

        init(_ sql: String, _ message: String) {
            (testDescription, self.sql, self.message) = (sql, sql, message)
        }
    }

    static let changes = [
        Change("UPDATE routing_edges SET cost = -1 WHERE id = 2", "cost is not a possible one: id 2"),
        Change("UPDATE routing_edges SET cost = NULL WHERE id = 2", "cost is not a possible one: id 2"),
        Change("UPDATE routing_edges SET cost = 9e999", "cost is not a possible one"),
        Change("UPDATE routing_edges SET cost = 1e300", "cost is not a possible one"),
        Change("UPDATE routing_edges SET cost = 'free'", "cost is not a possible one"),
        Change("UPDATE routing_edges SET cost = x'00'", "cost is not a possible one"),
        Change("UPDATE routing_edges SET reverse_cost = -0.001", "cost is not a possible one"),
        Change("UPDATE routing_edges SET reverse_cost = -9e999", "cost is not a possible one"),
        Change("UPDATE routing_edges SET reverse_cost = NULL", "cost is not a possible one"),
        Change("UPDATE routing_edges SET is_oneway = 'yes'", "direction is not a possible one"),
        Change("UPDATE routing_edges SET distance = -1", "length is not a possible one"),
        Change("UPDATE routing_edges SET distance = 9e999", "length is not a possible one"),
        Change("UPDATE routing_edges SET distance = NULL", "length is not a possible one"),
        Change("UPDATE routing_edges SET elevation_gain = -1", "ascent is not a possible one"),
        Change("UPDATE routing_edges SET elevation_loss = 9e999", "descent is not a possible one"),
        Change("UPDATE routing_edges SET to_node = 99 WHERE id = 1", "edge to a missing node: id 1"),
        Change("UPDATE routing_edges SET from_node = 'x'", "edge to a missing node"),
        Change("DELETE FROM routing_nodes WHERE id = 1", "edge to a missing node"),
        Change("DELETE FROM routing_nodes", "it has no nodes"),
        Change("UPDATE routing_nodes SET latitude = 91", "not on Earth"),
        Change("UPDATE routing_nodes SET longitude = 'x'", "not on Earth"),
        Change("UPDATE routing_nodes SET elevation = 9e999", "elevation is not a possible one"),
        Change("UPDATE routing_edges SET geometry = x'0000803f'", "points are not all on Earth"),
        Change("UPDATE routing_edges SET geometry = x'00'", "points are not all on Earth"),
        Change("UPDATE routing_edges SET geometry = 'text'", "points are not all on Earth"),
        // NaN, infinite, and 91° north.
        Change("UPDATE routing_edges SET geometry = x'0000c07f0000803f'", "points are not all on Earth"),
        Change("UPDATE routing_edges SET geometry = x'0000803f0000807f'", "points are not all on Earth"),
        Change("UPDATE routing_edges SET geometry = x'0000b6420000803f'", "points are not all on Earth"),
        Change("DROP TABLE routing_metadata", "no table “routing_metadata”"),
        Change("ALTER TABLE routing_edges DROP COLUMN cost", "cannot be read as a database: no such column: cost"),
        Change(
            "DROP TABLE routing_nodes; CREATE TABLE routing_nodes (id, latitude, longitude, elevation);"
                + "INSERT INTO routing_nodes VALUES (0, 1, 1, 1), (0, 1, 1, 1)",
            "without an id of its own"
        ),
        Change(
            "DROP TABLE routing_nodes; CREATE TABLE routing_nodes (id, latitude, longitude, elevation);"
                + "INSERT INTO routing_nodes VALUES (NULL, 1, 1, 1)",
            "without an id of its own"
        ),
        Change(
            "ALTER TABLE routing_edges RENAME TO e; CREATE VIEW routing_edges AS WITH RECURSIVE n(n) AS "
                + "(SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT e.* FROM e, n",
            "not authorized"
        ),
        Change(
            "ALTER TABLE routing_nodes RENAME TO o; CREATE VIEW routing_nodes AS SELECT a.* FROM o a, o b, o c, o d, o e, o f, o g, o h, o i",
            "more than 100000 places where ways meet"
        ),
        Change(
            "UPDATE routing_edges SET geometry = zeroblob(7000000)",
            "more than 1200000 points of ways"
        ),
        Change("UPDATE routing_edges SET geometry = zeroblob(9000000)", "more than 1200000 points of ways"),
    ]

    @Test(arguments: changes) func areRefused(change: Change) async throws {
        var test = TestGraph(nodes: TestGraph.nodes(4), edges: [.init(0, 1, 100), .init(1, 2, 100), .init(2, 3, 100)])
        test.change = change.sql
        let start = ContinuousClock.now
        let error = await #expect(throws: RegionStoreError.self) { try await test.read() }
        #expect(error?.message.contains(change.message) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func smallFaultsAreNoFaults() async throws {
        var test = TestGraph(nodes: TestGraph.nodes(4), edges: [.init(0, 1, 100), .init(1, 2, 100), .init(2, 3, 100)])
        test.change = """
            UPDATE routing_edges SET is_oneway = NULL, elevation_gain = NULL, elevation_loss = NULL, geometry = x'', surface = '',
                sac_scale = 'hard', trail_visibility = x'ff', highway_type = NULL, name = printf('%.*c', 5000, 'é');
            """
        let graph = try await test.read()
        let way = try #require(try graph.ways(through: [test.place(0), test.place(3)]).first)
        #expect(way.cost == 300 && way.profile.isEmpty && way.composition.map(\.kind) == [.other])
        #expect(way.stretches.count == 1 && way.stretches[0].surface == nil && way.hardest == nil)
        #expect(way.stretches[0].name == String(repeating: "é", count: 100))
    }

    @Test func waysHaveABound() async throws {
        var test = TestGraph(nodes: TestGraph.nodes(4), edges: [.init(0, 1, 100), .init(1, 2, 100), .init(2, 3, 100)])
        test.change = "UPDATE routing_edges SET geometry = zeroblob(8 * 20000)"
        let graph = try await test.read()
        #expect(try graph.ways(through: [test.place(0), test.place(2)]).count == 1)
        let error = #expect(throws: RegionStoreError.self) {
            try graph.ways(through: [test.place(0), test.place(3)])
        }
        #expect(error?.message == "The way has more than 50000 points.")
    }

    @Test func otherFilesAreRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("other.routing.db")
            func error() -> RegionStoreError? {
                #expect(throws: RegionStoreError.self) { try RoutingGraph(reading: path) }
            }
            #expect(error()?.code == .storage)
            try Data().write(to: URL(filePath: path))
            #expect(error()?.message.contains("is empty") == true)
            try Data("Not a database".utf8).write(to: URL(filePath: path))
            #expect(error()?.message.contains("not an SQLite database") == true)
            try TestGraph(nodes: TestGraph.nodes(2), edges: []).write(to: path + ".good")
            var bytes = try Data(contentsOf: URL(filePath: path + ".good"))
            try bytes.prefix(9000).write(to: URL(filePath: path))
            #expect(error()?.message.contains("is cut off") == true)
            // A file with a hole, which needs no room.
            bytes.append(Data(repeating: 0, count: 4096))
            try bytes.write(to: URL(filePath: path))
            #expect(truncate(path, off_t(GraphLimits.fileSize) + 1) == 0)
            #expect(error()?.message.contains("more than 50 MB") == true)
        }
    }

    @Test func aGraphWithoutEdgesHasNoWays() async throws {
        let test = TestGraph(nodes: TestGraph.nodes(2), edges: [])
        let graph = try await test.read()
        #expect(graph.nodeCount == 2 && graph.edgeCount == 0)
        let error = #expect(throws: PlanningError.self) { try graph.ways(through: [test.place(0), test.place(1)]) }
        #expect(error == .tooFar(place: 0, metres: 0))
    }

    @Test func tooManyNamesAreRefused() async throws {
        var test = TestGraph(nodes: TestGraph.nodes(2), edges: [])
        test.change = """
            WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 70000)
            INSERT INTO routing_edges (from_node, to_node, distance, cost, reverse_cost, name) SELECT 0, 1, 1, 1, 1, n FROM n
            """
        let error = await #expect(throws: RegionStoreError.self) { try await test.read() }
        #expect(error?.message.contains("65535 names") == true && error?.remedy == "Use a map of a smaller area.")
    }
}
