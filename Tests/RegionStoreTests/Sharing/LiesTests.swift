import Foundation
import GRDB
import NIOCore
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Offers and resources that are not what they claim: each is refused and the store stays as it was.
@Suite(.timeLimit(.minutes(10))) struct LiesTests {
    struct Lie: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var expected: String
        var change: @Sendable (inout Region) -> Void = { _ in }
        var resources: @Sendable (inout [ResourceKind: [UInt8]]) throws -> Void = { _ in }
    }

    static let offers = [
        Lie(testDescription: "size of the map", expected: "is given as 1 and as") { $0.fileSizeBytes = 1 },
        Lie(testDescription: "routing that does not come", expected: "but none is offered") {
            $0.hasRoutingData = true
        },
        Lie(testDescription: "no tiles", expected: "no tiles") { $0.tileCount = 0 },
        Lie(testDescription: "no name", expected: "no name") { $0.name = " \n" },
        Lie(testDescription: "map shorter than a page", expected: "the map has 3 bytes") { region in
            region.fileSizeBytes = 3
        } resources: {
            $0[.mbtiles] = [1, 2, 3]
        },
    ]

    @Test(arguments: offers)
    func anOfferThatLiesIsRefusedBeforeAnythingIsWritten(lie: Lie) async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try world.store.sink().examine(try world.source(lie).manifest)
            }
            #expect(error.code == .refused)
            #expect(error.message.contains(lie.expected), "\(error.message)")
            #expect(throws: RegionStoreError.self) {
                try world.store.sink().begin(try world.source(lie).manifest, accepting: [.mbtiles])
            }
            try world.expectUnchanged()
        }
    }

    static let resources = [
        Lie(testDescription: "zooms", expected: "its zooms are 10 to 12 instead of 10 to 11") {
            $0.zoomLevels = 10...11
        },
        Lie(testDescription: "tiles", expected: "it has 21 tiles instead of 20") { $0.tileCount = 20 },
        Lie(testDescription: "bounds", expected: "it covers another area") { region in
            region.boundingBox = BoundingBox(north: 1, south: 0, east: 1, west: 0) ?? region.boundingBox
        },
        Lie(testDescription: "date", expected: "its age is not that (no date instead of 2024-01-01)") {
            $0.mapDate = Date(timeIntervalSince1970: 1_704_067_200)
        },
        Lie(testDescription: "version", expected: "its age is not that (no date instead of version 9)") {
            $0.edition = MapEdition(version: "9")
        },
        Lie(testDescription: "no database", expected: "The received map is not an SQLite database") { _ in
        } resources: {
            $0[.mbtiles] = [UInt8](repeating: 7, count: 5000)
        },
        Lie(testDescription: "database without tiles", expected: "it has no table or view “tiles”") { _ in
        } resources: { resources in
            resources[.mbtiles] = try LiesTests.database { try $0.execute(sql: "CREATE TABLE t (x)") }
        },
        Lie(testDescription: "no tile", expected: "no zoom level has, such as zoom 1, column 0, row 5") { region in
            region.zoomLevels = 0...20
        } resources: { resources in
            let sql = """
                CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                INSERT INTO tiles VALUES (1, 0, 5, x'89504E47');
                """
            resources[.mbtiles] = try LiesTests.database { try $0.execute(sql: sql) }
        },
        Lie(testDescription: "trigger", expected: "is a trigger") { _ in
        } resources: { resources in
            let sql = "CREATE TABLE tiles (x); CREATE TRIGGER t DELETE ON tiles BEGIN SELECT 1; END"
            resources[.mbtiles] = try LiesTests.database { try $0.execute(sql: sql) }
        },
        Lie(testDescription: "truncated map", expected: "is cut off") { _ in
        } resources: {
            $0[.mbtiles] = $0[.mbtiles]?.dropLast(4096)
        },
        Lie(testDescription: "WAL mode", expected: "it is in WAL mode") { _ in
        } resources: { resources in
            resources[.mbtiles]?.replaceSubrange(18...19, with: [2, 2])
        },
        Lie(testDescription: "no routing database", expected: "it has no table “routing_nodes”") { _ in
        } resources: {
            $0[.routing] = $0[.mbtiles]
        },
        Lie(testDescription: "waypoints that are no JSON", expected: "The list of waypoints is not valid JSON") { _ in
        } resources: {
            $0[.waypoints] = Array("[{".utf8)
        },
        Lie(testDescription: "waypoint without a place", expected: "The 1st waypoint has no latitude") { _ in
        } resources: {
            $0[.waypoints] = Array(#"[{"id":"0F8FAD5B-D9CB-469F-A165-70867728950E"}]"#.utf8)
        },
        Lie(testDescription: "hikes that are waypoints", expected: "The 1st hike has no name") { _ in
        } resources: { resources in
            resources[.savedroutes] = try ItemCoding.encode([try Items.waypoint()], .waypoints)
        },
        Lie(
            testDescription: "a track that is none",
            expected: "The 2nd received hike is invalid: The track cannot be unpacked"
        ) { _ in
        } resources: { resources in
            var hike = try Items.hike()
            hike.trackData = Data([1, 2, 3])
            resources[.savedroutes] = try ItemCoding.encode([try Items.hike(), hike], .savedroutes)
        },
        Lie(testDescription: "one waypoint twice", expected: "have the same id") { _ in
        } resources: { resources in
            let waypoint = try Items.waypoint()
            resources[.waypoints] = try ItemCoding.encode([waypoint, waypoint], .waypoints)
        },
    ]

    @Test(arguments: resources)
    func aResourceThatIsNotWhatWasAnnouncedIsRefused(lie: Lie) async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try Transfers.run(try world.source(lie), to: world.store.sink())
            }
            #expect(error.code == .refused)
            #expect(error.message.contains(lie.expected), "\(error.message)")
            // The other side is told this: it does not concern it where we keep our files.
            #expect(!error.reportToPeer.contains(directory.path), "\(error.message)")
            try world.expectUnchanged()
        }
    }

    @Test func bytesBeyondTheEndAreRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.source(Lie(testDescription: "", expected: ""))
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let transfer = try world.store.sink().begin(source.manifest, accepting: [.mbtiles])
            let buffer = ByteBuffer(bytes: [1, 2])
            for offset in [entry.size - 1, entry.size, UInt64.max] {
                #expect(throws: RegionStoreError.self) { try transfer.write([buffer], at: offset, of: entry) }
            }
            transfer.abandon()
            try world.expectUnchanged()
        }
    }

    @Test func chunkDigestsThatAreNotTheAnnouncedOnesAreRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.source(Lie(testDescription: "", expected: ""))
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let transfer = try world.store.sink().begin(source.manifest, accepting: [.mbtiles])
            var digests = try source.chunkDigests(of: entry)
            digests[0] = ContentDigest(hashing: [1])
            #expect(throws: RegionStoreError.self) { try transfer.missingChunks(of: entry, digests: digests) }
            #expect(throws: RegionStoreError.self) { try transfer.missingChunks(of: entry, digests: []) }
            transfer.abandon()
        }
    }

    @Test func nothingIsCommittedBeforeEverythingIsThere() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.source(Lie(testDescription: "", expected: ""))
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let transfer = try world.store.sink().begin(source.manifest, accepting: [.mbtiles])
            #expect(throws: RegionStoreError.self) { try transfer.finish(entry) }
            #expect(throws: RegionStoreError.self) { try transfer.commit() }
            let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            #expect(!missing.ranges.isEmpty)
            let error = try #require(throws: RegionStoreError.self) { try transfer.finish(entry) }
            // The map that is here has one of the chunks.
            let here = entry.size - missing.byteCount(in: entry.layout)
            #expect(error.message.contains("has \(here) bytes"))
            transfer.abandon()
            try world.expectUnchanged()
        }
    }

    /// A sender can announce any area for a map that stays; the area of the map that is here counts.
    @Test func aRoutingDatabaseForAnotherAreaThanTheMapHereIsRefused() async throws {
        try await TemporaryDirectory.with { directory in
            var world = try World(in: directory)
            try RoutingFixture(bounds: "1.4,42.4,1.8,42.6").write(to: directory.path("r.db"))
            for (kind, file) in [(ResourceKind.mbtiles, "a.mbtiles"), (.routing, "r.db")] {
                world.resources[kind] = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path(file))))
            }
            let wide = try #require(BoundingBox(north: 48, south: 42, east: 12, west: 1))
            let source = try world.source(Lie(testDescription: "", expected: "") { $0.boundingBox = wide })
            let error = try #require(throws: RegionStoreError.self) {
                try Transfers.run(source, to: world.store.sink())
            }
            #expect(error.code == .refused)
            #expect(error.message.contains("for another area than the map"), "\(error.message)")
            try world.expectUnchanged()
        }
    }

    @Test func aTransferThatHasEndedWritesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let source = try world.source(Lie(testDescription: "", expected: ""))
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let transfer = try world.store.sink().begin(source.manifest, accepting: [.mbtiles])
            _ = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            transfer.abandon()
            #expect(throws: RegionStoreError.self) {
                try transfer.write([ByteBuffer(bytes: [1, 2, 3])], at: 0, of: entry)
            }
            #expect(throws: RegionStoreError.self) { try transfer.finish(entry) }
            try world.expectUnchanged()
        }
    }

    @Test func anOfferThatDoesNotFitOnTheDiskIsRefusedWithFigures() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try World(in: directory)
            let manifest = try world.source(Lie(testDescription: "", expected: "")).manifest
            var sink = world.store.sink()
            sink.space = { _ in (available: (64 << 20) + 10_000_000 + manifest.totalSize - 1, total: 1_000_000_000) }
            let error = try #require(throws: RegionStoreError.self) { try sink.examine(manifest) }
            #expect(error.code == .storage)
            #expect(error.message.contains("78 MB stays in reserve"), "\(error.message)")
            sink.space = { _ in (available: (64 << 20) + 10_000_000 + manifest.totalSize, total: 1_000_000_000) }
            try sink.examine(manifest)
        }
    }

    /// A store with a region, and the truth about another version of that region.
    struct World {
        var store: RegionStore
        var region: Region
        var resources: [ResourceKind: [UInt8]]
        var before: StoreState

        init(in directory: TemporaryDirectory) throws {
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles"))
            store = try RegionStore(path: directory.path("store"))
            let id = try store.importMap(at: directory.path("a.mbtiles")).region.id
            try store.add([try Items.waypoint()], to: id)
            region = try store.region(id).region
            resources = [.mbtiles: Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("b.mbtiles"))))]
            before = try StoreState(of: store)
        }

        func source(_ lie: Lie) throws -> LyingSource {
            var resources = resources
            try lie.resources(&resources)
            return try LyingSource(region, resources, change: lie.change)
        }

        func expectUnchanged(_ location: SourceLocation = #_sourceLocation) throws {
            #expect(try StoreState(of: store) == before, sourceLocation: location)
            #expect(try StoreState.files(in: store, "incoming").isEmpty, sourceLocation: location)
        }
    }

    static func database(_ write: (Database) throws -> Void) throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.path + "/hikeshare-test-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let queue = try DatabaseQueue(path: path)
        try queue.write(write)
        try queue.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
