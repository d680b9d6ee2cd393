import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct RoutingImportTests {
    static let cases: [(RoutingFixture, String)] = [
        (RoutingFixture(statedNodeCount: 21), "its key “node_count” says 21, but there are 20"),
        (RoutingFixture(edgeTarget: 999), "has an edge to a missing node: id 1"),
        (RoutingFixture(bounds: "1.4,42.4,1.8,42.6"), "for another area"),
        (RoutingFixture(additions: ["DROP TABLE routing_edges"]), "no table “routing_edges”"),
        (RoutingFixture(additions: ["ALTER TABLE routing_edges DROP COLUMN cost"]), "no such column: cost"),
        (
            RoutingFixture(additions: ["UPDATE routing_nodes SET latitude = 91 WHERE id = 4"]),
            "a node that is not on Earth: id 4"
        ),
        (
            RoutingFixture(additions: ["CREATE TRIGGER t DELETE ON routing_nodes BEGIN SELECT 1; END"]),
            "“t” is a trigger"
        ),
    ]

    @Test(arguments: cases.indices)
    func aFileThatIsWrongIsRefusedAndTheOldOneStays(index: Int) async throws {
        let (fixture, expected) = Self.cases[index]
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            try RoutingFixture().write(to: directory.path("good.db"))
            try fixture.write(to: directory.path("bad.db"))
            try store.importRouting(at: directory.path("good.db"), into: region.id)
            let before = try StoreState(of: store)

            let error = try #require(throws: RegionStoreError.self) {
                try store.importRouting(at: directory.path("bad.db"), into: region.id)
            }

            #expect(error.code == .invalidFile)
            #expect(error.message.contains(expected), "\(error.message)")
            #expect(error.message.contains("bad.db"))
            #expect(try StoreState(of: store) == before)
        }
    }

    @Test func aNewFileTakesThePlaceOfTheOldOne() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            for count in [20, 30] {
                try RoutingFixture(nodeCount: count).write(to: directory.path("\(count).db"))
                try store.importRouting(at: directory.path("\(count).db"), into: region.id)
            }
            let files = try StoreState(of: store).files.filter { $0.key.hasSuffix(".routing.db") }
            let latest = try Data(contentsOf: URL(fileURLWithPath: directory.path("30.db")))
            #expect(Array(files.values) == [latest])
        }
    }

    @Test func aMapIsNotARoutingDatabase() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.importRouting(at: directory.path("a.mbtiles"), into: region.id)
            }
            #expect(error.message.contains("is not a routing database"))
        }
    }

    @Test func routingComesWithTheMapOrNotAtAll() async throws {
        try await TemporaryDirectory.with { directory in
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            try RoutingFixture(statedNodeCount: 3).write(to: directory.path("bad.db"))
            let store = try RegionStore(path: directory.path("store"))
            #expect(throws: RegionStoreError.self) {
                try store.importMap(at: directory.path("a.mbtiles"), routing: directory.path("bad.db"))
            }
            #expect(try store.regions().isEmpty)
            #expect(try StoreState.files(in: store, "regions").isEmpty)
        }
    }
}
