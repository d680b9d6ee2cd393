import FaultInjection
import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct MapImportTests {
    @Test func importsTablesAndExportsTheSameBytes() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small().write(to: file)
            let store = try RegionStore(path: directory.path("store"))

            let result = try store.importMap(at: file)

            #expect(result.isNew)
            #expect(result.region.name == "Nordkette")
            #expect(result.region.zoomLevels == 10...12)
            #expect(result.region.tileCount == 21)
            #expect(result.region.format == .png)
            #expect(result.region.attribution == "© OpenStreetMap contributors")
            #expect(result.region.boundingBox == BoundingBox(north: 47.27, south: 47.05, east: 11.59, west: 11.26))
            try store.exportMap(of: result.region.id, to: directory.path("out.mbtiles"))
            let (before, after) = (try bytes(file), try bytes(directory.path("out.mbtiles")))
            #expect(before == after)
            #expect(result.region.mapSize == UInt64(before.count))
        }
    }

    @Test func digestsAreThoseOfTheFile() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small(tileLength: 20_000).write(to: file)
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: file).region

            let source = try store.source(for: region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))

            let expected = Transfers.digests(of: Array(try bytes(file)), entry.layout)
            #expect(try source.chunkDigests(of: entry) == expected)
            #expect(expected.count > 20)
            #expect(entry.digest == ContentDigest(resourceSize: entry.size, chunkDigests: expected))
            #expect(region.mapDigest == entry.digest)
        }
    }

    @Test func importsViews() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small()
            map.layout = .views
            try map.write(to: directory.path("a.mbtiles"))
            let region = try RegionStore(path: directory.path("store")).importMap(at: directory.path("a.mbtiles"))
                .region
            #expect(region.tileCount == 21)
            #expect(region.zoomLevels == 10...12)
        }
    }

    @Test(arguments: [
        (MapFile.png, TileFormat.png),
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpg),
        (Array("RIFF".utf8) + [1, 0, 0, 0] + Array("WEBP".utf8), .webp),
        ([0x1F, 0x8B, 8, 0], .pbf),
        ([0x1A, 0x20, 0x78, 2], .pbf),
    ])
    func derivesWhatTheMetadataLack(start: [UInt8], format: TileFormat) async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small(start: start)
            map.metadata = []
            try map.write(to: directory.path("Mein Weg.mbtiles"))
            let store = try RegionStore(path: directory.path("store"))

            let region = try store.importMap(at: directory.path("Mein Weg.mbtiles")).region

            #expect(region.format == format)
            #expect(region.name == "Mein Weg")
            #expect(region.zoomLevels == 10...12)
            // The tile 10/544/664 has these edges; all zooms cover the same area.
            #expect(abs(region.boundingBox.west - 11.25) < 1e-9)
            #expect(abs(region.boundingBox.east - 11.601_562_5) < 1e-9)
            #expect(abs(region.boundingBox.south - 47.040_182_144_806_64) < 1e-9)
            #expect(abs(region.boundingBox.north - 47.279_229_002_570_816) < 1e-9)
        }
    }

    @Test func believesTheTilesMoreThanTheMetadata() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small(start: [0xFF, 0xD8, 0xFF]).without("bounds", "minzoom")
            map.metadata += [("bounds", "-70,10,-60,20"), ("minzoom", "3")]
            try map.write(to: directory.path("a.mbtiles"))
            let region = try RegionStore(path: directory.path("store")).importMap(at: directory.path("a.mbtiles"))
                .region
            #expect(region.format == .jpg)
            #expect(region.zoomLevels == 10...12)
            #expect(abs(region.boundingBox.west - 11.25) < 1e-9)
        }
    }

    @Test func readsAFileThatAnotherProgramHasOpenInWALMode() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("live.mbtiles")
            let other = try MapFile.small().write(to: file, isWAL: true)
            try #require(try FileManager.default.attributesOfItem(atPath: file + "-wal")[.size] as? Int ?? 0 > 0)
            let before = try bytes(file)
            let store = try RegionStore(path: directory.path("store"))

            let region = try store.importMap(at: file).region

            #expect(region.tileCount == 21)
            #expect(try bytes(file) == before)
            try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
            let copy = try DatabaseQueue(path: directory.path("out.mbtiles"))
            let tiles = try copy.read { try Row.fetchAll($0, sql: "SELECT * FROM tiles ORDER BY 1, 2, 3") }
            let original = try other.read { try Row.fetchAll($0, sql: "SELECT * FROM tiles ORDER BY 1, 2, 3") }
            #expect(tiles == original)
            let mode = try copy.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(mode == "delete")
        }
    }

    @Test func readsAFileInWALModeThatNobodyHasOpen() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small().write(to: file, isWAL: true).close()
            try #require(!FileManager.default.fileExists(atPath: file + "-wal"))
            let region = try RegionStore(path: directory.path("store")).importMap(at: file).region
            #expect(region.tileCount == 21)
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            #expect(names == ["a.mbtiles", "store"])
        }
    }

    @Test func saysWhetherTheTilesAreOnes() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            try MapFile.small(start: [0xFF, 0xFF, 0xFF]).write(to: directory.path("a.mbtiles"))
            #expect(try !store.importMap(at: directory.path("a.mbtiles")).hasKnownTiles)
            // One that is empty or odd says nothing of the others.
            var map = MapFile.small(seed: 2)
            map.additions = ["UPDATE tiles SET tile_data = x'00' WHERE rowid IN (6, 7, 8)"]
            try map.write(to: directory.path("b.mbtiles"))
            #expect(try store.importMap(at: directory.path("b.mbtiles")).hasKnownTiles)
        }
    }

    @Test func doesNotTakeTheSameMapTwice() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small().write(to: file)
            let store = try RegionStore(path: directory.path("store"))
            let first = try store.importMap(at: file, name: "One")
            let before = try StoreState(of: store)

            let second = try store.importMap(at: file, name: "Two")

            #expect(!second.isNew)
            #expect(second.region == first.region)
            #expect(try StoreState(of: store) == before)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func whatWasCopiedIsNotReadAgainToBeHashed() async throws {
        // In memory, where no file system lets files share their blocks.
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small(tileLength: 100_000).write(to: file)
            let recorder = StepRecorder(in: directory.path("store"))
            try RegionStore(path: directory.path("store"), faults: recorder).importMap(at: file)
            func count(_ operation: FileOperation) -> Int {
                recorder.steps.count { step in
                    if case .file(operation, let name) = step { name.hasSuffix("/mbtiles") } else { false }
                }
            }
            #expect(count(.write) > 1)
            #expect(count(.read) == 0)
        }
    }

    @Test func tellsHowFarItIs() async throws {
        try await TemporaryDirectory.with { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small(tileLength: 100_000).write(to: file)
            let steps = Steps()
            try RegionStore(path: directory.path("store")).importMap(at: file) { steps.add($0, $1) }
            let size = Int64(try bytes(file).count)
            let last = try #require(steps.all.last)
            #expect(last.0 == size && last.1 == size)
            #expect(steps.all.allSatisfy { $0.0 >= 0 && $0.0 <= $0.1 })
            #expect(steps.all.count > 3)
        }
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }
}
