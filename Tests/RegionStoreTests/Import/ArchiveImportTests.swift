import Foundation
import GRDB
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
