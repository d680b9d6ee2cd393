import Foundation
import GRDB
import MapFiles
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// The export of maps for OsmAnd.
@Suite(.timeLimit(.minutes(10))) struct OsmAndMapTests {
    /// Imports a map and writes it for OsmAnd; calls `body` with the written file.
    private static func export(
        _ map: MapFile,
        _ body: (_ database: DatabaseQueue, _ path: String, _ size: UInt64) throws -> Void
    ) async throws {
        try await TemporaryDirectory.with { directory in
            try map.write(to: directory.path("in.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("in.mbtiles")).region
            let path = directory.path("out.sqlitedb")
            let size = try store.writeOsmAndMap(of: region.id, to: path)
            var configuration = Configuration()
            configuration.readonly = true
            try body(DatabaseQueue(path: path, configuration: configuration), path, size)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(names == ["in.mbtiles", "out.sqlitedb", "store"])
        }
    }

    /// Finds a tile as OsmAnd does, which passes all numbers as texts.
    private static func image(_ zoom: Int, _ column: Int, _ row: Int, _ database: Database) throws -> Data? {
        try Data.fetchOne(
            database,
            sql: "SELECT image FROM tiles WHERE x = ? AND y = ? AND z = ?",
            arguments: ["\(column)", "\(row)", "\(17 - zoom)"]
        )
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private static let webp: [UInt8] = Array("RIFF1234WEBP".utf8)

    @Test(arguments: [MapFile.png, jpeg, webp], [MapFile.Layout.tables, .views])
    func everyTileIsWhereOsmAndLooksForIt(start: [UInt8], layout: MapFile.Layout) async throws {
        var map = MapFile.small(start: start)
        map.layout = layout
        try await Self.export(map) { queue, path, size in
            try queue.read { database in
                for tile in map.tiles {
                    // Rows of MBTiles count from the south, and those of OsmAnd from the north.
                    let row = (1 << tile.zoomLevel) - 1 - tile.row
                    let image = try Self.image(tile.zoomLevel, tile.column, row, database)
                    #expect(image == tile.data, "\(tile.zoomLevel)/\(tile.column)/\(row)")
                }
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM tiles") == map.tiles.count)
                #expect(try Int.fetchAll(database, sql: "SELECT DISTINCT s FROM tiles") == [0])
                #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
            }
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 == size)
        }
    }

    @Test func theInformationIsWhatOsmAndExpects() async throws {
        try await Self.export(MapFile.small()) { queue, _, _ in
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM info") }
            let info = try #require(rows.first)
            #expect(rows.count == 1)
            // As OsmAnd computes them: 17 - maxzoom and 17 - minzoom.
            #expect(17 - (info["maxzoom"] as Int) == 10 && 17 - (info["minzoom"] as Int) == 12)
            #expect(info["tilenumbering"] == "BigPlanet" && info["title"] == "Nordkette")
            #expect(info["timecolumn"] == "no" && info["expireminutes"] == 0)
            #expect(info["ellipsoid"] == 0 && info["inverted_y"] == 0)
            // With it, OsmAnd would look for tiles on the internet.
            #expect(!info.columnNames.contains("url"))
            // As RMaps and Locus Map read it: the least and greatest z.
            let range = try queue.read { try Row.fetchOne($0, sql: "SELECT min(z), max(z) FROM tiles") }
            #expect(range?[0] == info["minzoom"] as Int && range?[1] == info["maxzoom"] as Int)
            #expect(try queue.read { try $0.tableExists("android_metadata") })
        }
    }

    /// Above zoom level 17, `z` is negative.
    @Test func everyZoomLevelHasItsNumber() async throws {
        let tiles = [0, 1, 17, 18, 22].map { zoom in
            MapFile.Tile(zoomLevel: zoom, column: (1 << zoom) - 1, row: 0, data: Data(MapFile.png + [UInt8(zoom)]))
        }
        try await Self.export(MapFile(tiles: tiles)) { queue, _, _ in
            try queue.read { database in
                for tile in tiles {
                    let last = (1 << tile.zoomLevel) - 1
                    #expect(try Self.image(tile.zoomLevel, last, last, database) == tile.data)
                }
                let info = try Row.fetchOne(database, sql: "SELECT minzoom, maxzoom FROM info")
                #expect(info?[0] == -5 && info?[1] == 17)
            }
        }
    }

    @Test func anExistingFileIsKept() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let path = directory.path("there.sqlitedb")
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let error = try #require(throws: RegionStoreError.self) {
                try store.writeOsmAndMap(of: region.id, to: path)
            }
            #expect(error.code == .conflict && error.message.contains(path))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(names == ["a.mbtiles", "store", "there.sqlitedb"])
        }
    }

    @Test(arguments: [("pbf", [0x1F, 0x8B], "vector tiles"), ("tiff", [0x49, 0x49], "unknown format")])
    func aMapWithoutImagesIsRefused(format: String, start: [UInt8], reason: String) async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small(start: start).without("format")
            map.metadata.append(("format", format))
            try map.write(to: directory.path("in.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("in.mbtiles")).region
            let error = try #require(throws: RegionStoreError.self) {
                try store.writeOsmAndMap(of: region.id, to: directory.path("out.sqlitedb"))
            }
            #expect(error.code == .invalidArgument && error.message.contains(reason), "\(error)")
            #expect(error.remedy != nil)
            #expect(!FileManager.default.fileExists(atPath: directory.path("out.sqlitedb")))
        }
    }

    /// So a program that is killed leaves no file of that name.
    @Test func theFileHasItsNameOnlyWhenItIsComplete() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let path = directory.path("out.sqlitedb")
            var steps: [(done: Int64, total: Int64)] = []
            _ = try store.writeOsmAndMap(of: region.id, to: path) { done, total in
                steps.append((done, total))
                #expect(!FileManager.default.fileExists(atPath: path))
            }
            #expect(steps.count == region.tileCount && FileManager.default.fileExists(atPath: path))
            #expect(steps.allSatisfy { $0.done <= $0.total && $0.total == steps[0].total })
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.done <= $1.done })
        }
    }

    @Test func aMapThatCannotBeReadToItsEndLeavesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let map = "\(store.path)/regions/\(region.id.uuidString)/\(region.mapDigest.hex).mbtiles"
            // The first page stays, so the map is opened.
            let file = try #require(FileHandle(forWritingAtPath: map))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(region.mapSize) - 4096))
            try file.close()
            #expect(throws: RegionStoreError.self) {
                try store.writeOsmAndMap(of: region.id, to: directory.path("out.sqlitedb"))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(names == ["a.mbtiles", "store"])
        }
    }

    /// A request to stop removes the file at any moment.
    @Test func aFileThatIsGoneIsNotCreatedAgain() async throws {
        try await TemporaryDirectory.with { directory in
            #expect(throws: DatabaseError.self) { _ = try OsmAndMap(in: directory.path("gone.sqlitedb")) }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names.isEmpty)
        }
    }

    @Test func aRegionThatDoesNotExistIsAnError() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try RegionStoreTests.store(in: directory)
            let error = try #require(throws: RegionStoreError.self) {
                try store.writeOsmAndMap(of: UUID(), to: directory.path("out.sqlitedb"))
            }
            #expect(error.code == .notFound)
        }
    }
}
