import Foundation
import GRDB
import PeerStorage
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Archives of tiles, of which an import makes MBTiles files.
@Suite(.timeLimit(.minutes(10))) struct ArchiveImportTests {
    /// The surroundings of Innsbruck: one tile at zoom 10, 4 at zoom 11, some of them the same.
    static func archive(seed: UInt8 = 1) -> PMTilesBytes {
        let first: UInt64 = 1_082_970
        var archive = PMTilesBytes(
            .init(id: first, length: 20, offset: 0),
            .init(id: first + 1, run: 3, length: 20, offset: 20),
            .init(id: first + 9, length: 20, offset: 0)
        )
        archive.tiles =
            MapFile.png + [UInt8](repeating: seed, count: 12) + MapFile.png + [UInt8](repeating: 9, count: 12)
        archive.metadata = Array(#"{"name": "Nordkette", "attribution": "© OpenStreetMap contributors"}"#.utf8)
        archive.zoomLevels = (0, 12)
        return archive
    }

    @Test func aPMTilesArchiveBecomesAMapLikeAnyOther() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("a.pmtiles")
            try Data(Self.archive().bytes).write(to: URL(fileURLWithPath: path))
            let store = try RegionStore(path: directory.path("store"))

            let stored = try store.importMap(at: path)

            #expect(stored.isNew && stored.hasKnownTiles)
            #expect(stored.oddities == MapOddities())
            #expect(stored.region.name == "Nordkette")
            #expect(stored.region.format == .png)
            #expect(stored.region.tileCount == 5)
            #expect(stored.region.attribution == "© OpenStreetMap contributors")
            try store.exportMap(of: stored.region.id, to: directory.path("out.mbtiles"))
            let copy = try DatabaseQueue(path: directory.path("out.mbtiles"))
            let tileCount = try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM tiles") }
            let imageCount = try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM images") }
            #expect(tileCount == 5)
            #expect(imageCount == 2, "the same tile is stored once")
            // Of the same archive, every import makes the same file.
            #expect(try !store.importMap(at: path).isNew)
            #expect(try store.regions().count == 1)
            // Nothing is left in the store but the map, and nothing beside the archive.
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path("store/work"))
            #expect(left.isEmpty, "\(left)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 3)
        }
    }

    /// Without room for the map, nothing is written.
    @Test func aFullDiskIsSaidBeforeAnArchiveIsConverted() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("a.pmtiles")
            try Data(Self.archive().bytes).write(to: URL(fileURLWithPath: path))
            try FileManager.default.createDirectory(atPath: directory.path("work"), withIntermediateDirectories: false)
            let folder = try Folder(directory.path("work"))
            let reserve = DiskReserve.size(ofDiskWith: 1 << 40)
            let error = #expect(throws: RegionStoreError.self) {
                try MapCopy.take(of: path, to: "map", in: folder, space: { _ in (reserve + 10, 1 << 40) }) { _ in }
            }
            #expect(error?.code == .storage && error?.message.contains("Not enough disk space: this needs ") == true)
            #expect(try folder.names().isEmpty)
            let room = reserve + 1_000_000
            _ = try MapCopy.take(of: path, to: "map", in: folder, space: { _ in (room, 1 << 40) }) { _ in }
            #expect(try folder.names() == ["map"])
        }
    }

    /// OsmAnd takes no notice of the statement where it looks up tiles, but other programs may.
    @Test(arguments: [true, false]) func aMapForOsmAndWithInvertedRowsIsRemarkable(isInverted: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("a.sqlitedb")
            let queue = try DatabaseQueue(path: path)
            try await queue.write { database in
                try database.execute(sql: "CREATE TABLE tiles (x int, y int, z int, s int, image blob)")
                try database.execute(sql: "CREATE TABLE info (tilenumbering, inverted_y)")
                try database.execute(sql: "INSERT INTO info VALUES ('BigPlanet', ?)", arguments: [isInverted ? 1 : 0])
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (543, 660, 7, 0, ?)",
                    arguments: [Data(MapFile.png)]
                )
            }
            try queue.close()
            let stored = try RegionStore(path: directory.path("store")).importMap(at: path)
            #expect(stored.region.boundingBox.north < -45)
            #expect(stored.oddities.mayBeUpsideDown == isInverted)
        }
    }

    @Test func aNewerArchiveReplacesTheMapOfARegion() async throws {
        try await TemporaryDirectory.with { directory in
            for (name, seed) in [("a", 1), ("b", 2)] as [(String, UInt8)] {
                let bytes = Self.archive(seed: seed).bytes
                try Data(bytes).write(to: URL(fileURLWithPath: directory.path(name + ".pmtiles")))
            }
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("a.pmtiles")).region
            let newer = try store.prepareMap(at: directory.path("b.pmtiles"))
            #expect(try newer.olderVersion()?.id == region.id)
            let stored = try newer.store(updating: region.id)
            #expect(stored.isUpdate && stored.region.id == region.id)
            #expect(stored.region.mapDigest != region.mapDigest)
        }
    }

    @Test func anArchiveWithoutANameIsCalledLikeItsFile() async throws {
        try await TemporaryDirectory.with { directory in
            var archive = Self.archive()
            archive.metadata = Array("{}".utf8)
            try Data(archive.bytes).write(to: URL(fileURLWithPath: directory.path("Mein Weg.PMTiles")))
            let store = try RegionStore(path: directory.path("store"))
            #expect(try store.importMap(at: directory.path("Mein Weg.PMTiles")).region.name == "Mein Weg")
        }
    }

    @Test func aDamagedArchiveIsRefusedAndLeavesNothing() async throws {
        try await TemporaryDirectory.with { directory in
            var archive = Self.archive()
            archive.tiles.removeLast(10)
            try Data(archive.bytes).write(to: URL(fileURLWithPath: directory.path("a.pmtiles")))
            let store = try RegionStore(path: directory.path("store"))
            let error = try #require(throws: RegionStoreError.self) {
                try store.importMap(at: directory.path("a.pmtiles"))
            }
            #expect(error.code == .invalidFile)
            #expect(error.message.contains("a.pmtiles is damaged"), "\(error.message)")
            #expect(try store.regions().isEmpty)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path("store/work"))
            #expect(left.isEmpty, "\(left)")
        }
    }
}

/// Archives that are SQLite files, and folders.
@Suite(.timeLimit(.minutes(10))) struct OtherArchiveImportTests {
    /// The tiles of a map, with their data, as SQLite lists them.
    private static func tiles(_ path: String) throws -> [Row] {
        try DatabaseQueue(path: path).read {
            try Row.fetchAll($0, sql: "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3")
        }
    }

    @Test func aMapExportedForOsmAndIsImportedAgain() async throws {
        try await TemporaryDirectory.with { directory in
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("a.mbtiles")).region
            _ = try store.writeOsmAndMap(of: region.id, to: directory.path("b.sqlitedb"))
            let before = try Data(contentsOf: URL(fileURLWithPath: directory.path("b.sqlitedb")))

            let other = try RegionStore(path: directory.path("other"))
            let stored = try other.importMap(at: directory.path("b.sqlitedb"))

            #expect(stored.region.name == region.name)
            #expect(stored.region.tileCount == 21)
            #expect(stored.oddities == MapOddities())
            try other.exportMap(of: stored.region.id, to: directory.path("c.mbtiles"))
            let (original, copy) = try (
                Self.tiles(directory.path("a.mbtiles")), Self.tiles(directory.path("c.mbtiles"))
            )
            #expect(original == copy)
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("b.sqlitedb"))) == before)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path("other/work"))
            #expect(left.isEmpty, "\(left)")
        }
    }

    @Test func aFolderOfTilesIsOneMapAmongTheFilesOfAFolder() async throws {
        try await TemporaryDirectory.with { directory in
            let root = directory.path("maps")
            for tile in MapFile.small().tiles {
                let column = "\(root)/Nordkette/\(tile.zoomLevel)/\(tile.column)"
                try FileManager.default.createDirectory(atPath: column, withIntermediateDirectories: true)
                let row = (1 << tile.zoomLevel) - 1 - tile.row
                try tile.data?.write(to: URL(fileURLWithPath: "\(column)/\(row).png"))
            }
            try Data("<gpx/>".utf8).write(to: URL(fileURLWithPath: root + "/a.gpx"))
            #expect(try InputFile.all([root], arguments: []).map(\.path) == [root + "/Nordkette", root + "/a.gpx"])
            #expect(try InputFile.all([root], arguments: []).map(\.kind) == [.map, .tracks])
            #expect(try InputFile.all([root + "/Nordkette/"], arguments: []).map(\.kind) == [.map])

            let store = try RegionStore(path: directory.path("store"))
            let stored = try store.importMap(at: root + "/Nordkette/")
            #expect(stored.region.name == "Nordkette")
            try store.exportMap(of: stored.region.id, to: directory.path("c.mbtiles"))
            try MapFile.small().write(to: directory.path("a.mbtiles")).close()
            let (original, copy) = try (
                Self.tiles(directory.path("a.mbtiles")), Self.tiles(directory.path("c.mbtiles"))
            )
            #expect(original == copy)
        }
    }

    @Test func whatIsLeftOutIsTold() async throws {
        try await TemporaryDirectory.with { directory in
            let column = directory.path("map/1/0")
            try FileManager.default.createDirectory(atPath: column, withIntermediateDirectories: true)
            try Data(MapFile.png).write(to: URL(fileURLWithPath: column + "/0.png"))
            try Data("<html>".utf8).write(to: URL(fileURLWithPath: column + "/1.html"))
            let stored = try RegionStore(path: directory.path("store")).importMap(at: directory.path("map"))
            #expect(stored.oddities.omitted.count == 1)
            #expect(stored.oddities.omitted.example == "1/0/1.html is no tile")
        }
    }
}
