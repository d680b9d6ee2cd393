import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Maps without indexes: what is accepted can be shown and received, and what cannot is refused with a remedy that works.
///
/// SQLite counts the memory of all databases of the process, so each test of that memory has a process of its own.
@Suite(.timeLimit(.minutes(10))) struct SlowMapTests {
    /// Makes a map as mb-util and tippecanoe do, but without indexes.
    fileprivate static func make(_ path: String, tiles count: Int, length: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                    CREATE TABLE images (tile_data BLOB, tile_id TEXT);
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
                        map.tile_row AS tile_row, images.tile_data AS tile_data
                        FROM map JOIN images ON images.tile_id = map.tile_id;
                    INSERT INTO images
                        WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < \(count - 1))
                        SELECT CAST(x'89504E470D0A1A0A' || zeroblob(\(length)) AS BLOB), 't' || i FROM c;
                    INSERT INTO map SELECT 15, 17021 + (rowid - 1) % 100, 21165 + (rowid - 1) / 100, tile_id FROM images;
                    """
            )
        }
        try queue.close()
    }

    @Test func whatIsImportedIsShownAndReceived() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                let path = directory.path("slow.mbtiles")
                // More than a check may hold.
                try SlowMapTests.make(path, tiles: 3000, length: 6000)
                let store = try RegionStore(path: directory.path("store"))
                let region = try store.importMap(at: path).region
                #expect(region.tileCount == 3000 && region.format == .png)
                let address = try #require(TileAddress(zoomLevel: 15, column: 17_120, southernRow: 21_194))
                #expect(try store.tile(address, of: region.id)?.data.count == 6008)
                let missing = try #require(TileAddress(zoomLevel: 15, column: 1, southernRow: 1))
                #expect(try store.tile(missing, of: region.id) == nil)
                let receiver = try RegionStore(path: directory.path("receiver"))
                try Transfers.run(try store.source(for: region.id), to: receiver.sink())
                #expect(try receiver.region(region.id).tileCount == 3000)
            }
        }
    }

    /// Makes a map again as a plain table, as the reference says.
    fileprivate static func flatten(_ path: String, to newPath: String) throws {
        let queue = try DatabaseQueue(path: newPath)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    ATTACH '\(path)' AS old;
                    CREATE TABLE metadata AS SELECT * FROM old.metadata;
                    CREATE TABLE tiles AS SELECT * FROM old.tiles;
                    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
                    """
            )
        }
        try queue.close()
    }

    @Test func whatReceiversWouldNotAcceptIsRefusedWithARemedyThatWorks() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with(isInMemory: true) { directory in
                let path = directory.path("slow.mbtiles")
                try SlowMapTests.make(path, tiles: 500_000, length: 1)
                let store = try RegionStore(path: directory.path("store"))
                let error = try #require(throws: RegionStoreError.self) { try store.importMap(at: path) }
                #expect(error.code == .storage)
                #expect(error.message.contains("slow.mbtiles needs too much memory to check"), "\(error)")
                #expect(error.remedy?.contains("as a plain table with an index") == true, "\(error)")
                #expect(try StoreState.files(in: store, "work").isEmpty)

                try SlowMapTests.flatten(path, to: directory.path("fast.mbtiles"))
                #expect(try store.importMap(at: directory.path("fast.mbtiles")).region.tileCount == 500_000)
            }
        }
    }

    @Test func aTileThatTakesTooLongToFindIsTold() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                let path = directory.path("slow.mbtiles")
                try SlowMapTests.make(path, tiles: 3000, length: 6000)
                let map = try MapDescription(
                    checking: UntrustedDatabase(
                        path,
                        .immutable,
                        within: CheckLimits(seconds: 60, memory: CheckLimits.importing(size: 0).memory)
                    )
                )
                let highest = try #require(map.coverage.levels.last)
                for limits in [CheckLimits(seconds: 0.000_1, memory: 10 << 20), CheckLimits(seconds: 60, memory: 0)] {
                    let error = try #require(throws: RegionStoreError.self) {
                        try UntrustedFile.checkFinding(highest, in: path, called: "slow.mbtiles", limits)
                    }
                    #expect(
                        error.message.contains("finding one of its tiles takes too much time or memory"),
                        "\(error)"
                    )
                    #expect(error.remedy?.contains("with an index") == true, "\(error)")
                }
                // Another error keeps its words.
                let missing = try #require(throws: RegionStoreError.self) {
                    try UntrustedFile.checkFinding(
                        highest,
                        in: directory.path("missing.mbtiles"),
                        called: "missing.mbtiles"
                    )
                }
                #expect(missing.message.contains("missing.mbtiles cannot be opened"), "\(missing)")
            }
        }
    }

    /// A map that is copied or shown is not checked.
    @Test func whatTakesTooLongIsCalledByItsName() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                try MapFile.small().write(to: directory.path("a.mbtiles")).close()
                let reasons = [(-1, 64 << 20, "takes too long"), (60, 0, "needs too much memory")]
                for purpose in [UntrustedDatabase.Purpose.check, .read] {
                    for (seconds, memory, words) in reasons {
                        let error = try #require(throws: RegionStoreError.self) {
                            let database = try UntrustedDatabase(
                                directory.path("a.mbtiles"),
                                .immutable,
                                called: "The map",
                                for: purpose,
                                within: CheckLimits(seconds: Double(seconds), memory: Int64(memory))
                            )
                            _ = try MapDescription(checking: database)
                        }
                        #expect(error.message == "The map \(words) to \(purpose.rawValue).", "\(error)")
                    }
                }
            }
        }
    }

    /// The map of a region whose file has disappeared, or is too slow.
    @Test func aMissingMapIsNotCalledABadDisk() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let file = try #require(try StoreState.files(in: store, "regions").first { $0.hasSuffix(".mbtiles") })
            try FileManager.default.removeItem(atPath: store.path + "/" + file)
            let address = try #require(TileAddress(zoomLevel: 10, column: 544, southernRow: 664))
            let attempts: [() throws -> Void] = [
                { _ = try store.tile(address, of: region.id) },
                { _ = try store.writeOsmAndMap(of: region.id, to: directory.path("o.sqlitedb")) },
                { _ = try store.source(for: region.id) },
            ]
            for attempt in attempts {
                let error = try #require(throws: RegionStoreError.self) { try attempt() }
                #expect(error.message.contains("does not exist"), "\(error)")
                #expect(error.remedy == "Import it again to restore the file.", "\(error)")
            }
            try store.importMap(at: directory.path("a.mbtiles"))
            for attempt in attempts { try attempt() }
        }
    }
}
