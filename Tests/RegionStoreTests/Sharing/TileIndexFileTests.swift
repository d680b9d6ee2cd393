import Foundation
import MapFiles
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// The indexes of tiles as files of a store: derived, and gone with their maps.
@Suite struct TileIndexFileTests {
    private static func write(_ path: String, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let tiles = (0..<200).map { number in
            TiledMap.Tile(
                zoom: 12,
                column: 2_060 + number / 20,
                row: 2_560 + number % 20,
                bytes: generator.bytes(2_000)
            )
        }
        try TiledMap(tiles).write(to: path)
    }

    private static func indexes(_ store: RegionStore) throws -> [String] {
        try StoreState.files(in: store, "regions").filter { $0.hasSuffix(".tiles") }
    }

    private static func index(_ region: RegionSummary, _ store: RegionStore) -> URL {
        let digest = region.mapDigest.hex
        return URL(fileURLWithPath: "\(store.path)/regions/\(region.id.uuidString)/\(digest).tiles")
    }

    @Test func anImportMakesItAndItGoesWithItsMap() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            for seed in 1...2 as ClosedRange<UInt64> { try Self.write(directory.path("\(seed).mbtiles"), seed: seed) }
            let region = try store.importMap(at: directory.path("1.mbtiles")).region
            #expect(try Self.indexes(store).count == 1)
            let updated = try store.importMap(at: directory.path("2.mbtiles"), updating: region.id).region
            #expect(try Self.indexes(store).map { "\(store.path)/\($0)" } == [Self.index(updated, store).path])
            try store.remove(region.id)
            #expect(try Self.indexes(store).isEmpty)
        }
    }

    /// Whatever becomes of it, it is made again for the next sending.
    @Test(arguments: ["gone", "empty", "another map's", "damaged"]) func itIsMadeAgain(how: String) async throws {
        try await TemporaryDirectory.with { directory in
            let store = try RegionStore(path: directory.path("store"))
            for seed in 1...2 as ClosedRange<UInt64> { try Self.write(directory.path("\(seed).mbtiles"), seed: seed) }
            let region = try store.importMap(at: directory.path("1.mbtiles")).region
            let other = try store.importMap(at: directory.path("2.mbtiles")).region
            let index = Self.index(region, store)
            let whole = try Data(contentsOf: index)
            switch how {
            case "gone": try FileManager.default.removeItem(at: index)
            case "empty": try Data().write(to: index)
            case "another map's": try Data(contentsOf: Self.index(other, store)).write(to: index)
            default: try whole.dropLast(5).write(to: index)
            }
            let source = try store.source(for: region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            #expect(try #require(source.pieces(of: entry)).spans(0..<entry.size).count >= 200)
            #expect(try Data(contentsOf: index) == whole)
        }
    }

    /// Before the answer to an offer nothing is written; afterwards the index that was made is kept.
    @Test func aSearchKeepsItOnceTheOfferIsAccepted() async throws {
        try await TemporaryDirectory.with { directory in
            let (sending, receiving) = (
                try RegionStore(path: directory.path("a")), try RegionStore(path: directory.path("b"))
            )
            for seed in 1...2 as ClosedRange<UInt64> { try Self.write(directory.path("\(seed).mbtiles"), seed: seed) }
            let region = try sending.importMap(at: directory.path("1.mbtiles")).region
            let local = try receiving.importMap(at: directory.path("2.mbtiles")).region
            let index = Self.index(local, receiving)
            try FileManager.default.removeItem(at: index)
            let source = try sending.source(for: region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let digests = try source.chunkDigests(of: entry)
            let sink = receiving.sink()
            let located = try sink.locate(entry, of: source.manifest, digests: digests) { false }
            #expect(located.older != nil)
            #expect(try Self.indexes(receiving).isEmpty)
            let transfer = try sink.begin(source.manifest, accepting: [.mbtiles], fromPeer: .called(""))
            _ = try transfer.missingChunks(of: entry, digests: digests, located: located)
            #expect(FileManager.default.fileExists(atPath: index.path))
            transfer.abandon()
        }
    }
}
