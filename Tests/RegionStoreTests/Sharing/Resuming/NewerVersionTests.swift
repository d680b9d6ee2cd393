import Foundation
import GRDB
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// What a store gives to a file that arrives, from files that it has.
@Suite(.timeLimit(.minutes(10))) struct NewerVersionTests {
    /// A store that has a map, and a newer version of that map in which one tile was changed in place.
    struct Versions {
        var store: RegionStore
        var region: RegionSummary
        var older: [UInt8]
        var newer: [UInt8]
        /// The chunks in which the two differ.
        var changed: [Int]

        init(in directory: TemporaryDirectory, changingTile row: Int = 30) throws {
            let path = directory.path("a.mbtiles")
            let queue = try MapFile.small(tileLength: 20_000).write(to: path)
            store = try RegionStore(path: directory.path("receiver"))
            region = try store.importMap(at: path).region
            older = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            try queue.write { database in
                try database.execute(
                    sql: "UPDATE tiles SET tile_data = ? WHERE rowid = ?",
                    arguments: [Data(MapFile.png + [UInt8](repeating: 7, count: 20_000)), row % 21 + 1]
                )
            }
            try queue.close()
            newer = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let layout = try #require(ChunkLayout(size: UInt64(newer.count)))
            let (before, after) = (Transfers.digests(of: older, layout), Transfers.digests(of: newer, layout))
            changed = after.indices.filter { !before.contains(after[$0]) }
            #expect((1...4).contains(changed.count))
        }

        /// Offers bytes as a map, of this region or of another.
        func source(_ map: [UInt8], id: UUID? = nil) throws -> LyingSource {
            var region = region.region
            region.id = id ?? region.id
            return try LyingSource(region, [.mbtiles: map])
        }

        func begin(_ source: LyingSource) throws -> (any IncomingTransfer, ManifestEntry, ChunkRuns) {
            let transfer = try store.sink().begin(source.manifest, accepting: [.mbtiles])
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            return (transfer, entry, try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry)))
        }

        func damage(at offset: Int) throws {
            let record = try #require(
                try store.database.read { try KnownFile.fetchOne(.mbtiles, of: region.id, $0) }
            )
            try OpenFile(store.folders.path(of: record), O_RDWR).write([older[offset] ^ 1], at: UInt64(offset))
        }
    }

    @Test(arguments: [true, false])
    func onlyChunksThatNoFileHasAreMissing(isSameRegion: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let source = try versions.source(versions.newer, id: isSameRegion ? nil : UUID())
            let (transfer, entry, missing) = try versions.begin(source)
            #expect(Array(missing.ranges.joined()) == versions.changed)

            let older = try #require(transfer.deltaBasis(of: entry))
            #expect(older.chunks == missing)
            for run in missing.ranges {
                let range = entry.layout.byteRange(of: run)
                let bytes = versions.newer[Int(range.lowerBound)..<Int(range.upperBound)]
                try transfer.write([ByteBuffer(bytes: bytes)], at: range.lowerBound, of: entry)
            }
            try transfer.finish(entry)
            #expect(try transfer.commit().imported == ["mbtiles": 1])
            let files = try StoreState(of: versions.store).files.values
            #expect(files.contains(Data(versions.newer)))
            #expect(files.count == (isSameRegion ? 1 : 2))
            let entries = try versions.store.history()
            #expect(entries.first?.byteCount == missing.byteCount(in: entry.layout))
        }
    }

    @Test func theSameMapUnderAnotherIDIsCopied() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let id = UUID()
            let (transfer, entry, missing) = try versions.begin(try versions.source(versions.older, id: id))
            #expect(missing.ranges.isEmpty)
            #expect(transfer.deltaBasis(of: entry) == nil)
            try transfer.finish(entry)
            _ = try transfer.commit()
            #expect(try versions.store.regions().count == 2)
            let files = try StoreState(of: versions.store).files
            #expect(files.count == 2)
            #expect(files.values.allSatisfy { $0 == Data(versions.older) })
        }
    }

    @Test func chunksThatHaveMovedAreFound() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            // No map any more, but that is looked at later; two chunks have changed places.
            let length = 16_384
            var moved = Array(versions.older[length..<2 * length]) + versions.older[..<length]
            moved += versions.older[(2 * length)...]
            let (transfer, _, missing) = try versions.begin(try versions.source(moved))
            #expect(missing.ranges.isEmpty)
            transfer.abandon()
        }
    }

    @Test func aMapThatCameMeanwhileIsNotReplaced() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let path = directory.path("third.mbtiles")
            try MapFile.small(seed: 5, tileLength: 20_000).write(to: path).close()
            let third = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            var transfers: [any IncomingTransfer] = []
            var digests: [ContentDigest] = []
            for source in [try versions.source(versions.newer), try versions.source(third)] {
                let transfer = try versions.store.sink().begin(source.manifest, accepting: [.mbtiles])
                let entry = try #require(source.manifest.entry(of: .mbtiles))
                try Transfers.send(entry, of: source, to: transfer)
                try transfer.finish(entry)
                transfers.append(transfer)
                digests.append(entry.digest)
            }
            _ = try transfers[0].commit()
            let error = try #require(throws: RegionStoreError.self) { try transfers[1].commit() }
            #expect(error.code == .conflict)
            #expect(try versions.store.region(versions.region.id).mapDigest == digests[0])
        }
    }

    /// A sender that lies lists the digest of the short last chunk of a file that is here for a place in the middle.
    @Test func aChunkThatDoesNotFitItsPlaceIsNotTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let layout = try #require(ChunkLayout(size: UInt64(versions.older.count)))
            try #require(UInt64(versions.older.count) % layout.chunkLength != 0)
            var digests = Transfers.digests(of: versions.older, layout)
            digests[0] = try #require(digests.last)
            let entry = ManifestEntry(
                name: ResourceName(kind: .mbtiles, id: versions.region.id),
                layout: layout,
                digest: ContentDigest(resourceSize: layout.size, chunkDigests: digests)
            )
            let local = LocalSearch(store: versions.store, regionID: versions.region.id, entry: entry)
            #expect(try local.locate(digests).missing.ranges == [0..<1])
        }
    }

    @Test func whatTheDiskHasDamagedIsNotTaken() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let intact = try #require((0..<10).first { !versions.changed.contains($0) })
            try versions.damage(at: intact * 16_384 + 5)
            let (transfer, _, missing) = try versions.begin(try versions.source(versions.newer))
            #expect(Array(missing.ranges.joined()) == (versions.changed + [intact]).sorted())
            transfer.abandon()
        }
    }

    @Test func theOlderVersionGivesWhatItHasAndNoMore() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            // The newer file is longer by two chunks and a bit.
            let longer = versions.newer + [UInt8](repeating: 1, count: 40_000)
            let (transfer, entry, missing) = try versions.begin(try versions.source(longer))
            let older = try #require(transfer.deltaBasis(of: entry))
            let end = UInt64(versions.older.count)
            #expect(older.bytes(in: end - 10..<end + 10).readableBytes == 10)
            #expect(older.bytes(in: end..<end + 10).readableBytes == 0)
            #expect(missing.ranges.last?.upperBound == entry.layout.chunkCount)
            transfer.abandon()
        }
    }

    @Test func theFileThatIsMostAlikeIsTheOlderVersion() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            try MapFile.small(seed: 9, tileLength: 20_000).write(to: directory.path("other.mbtiles"))
            try versions.store.importMap(at: directory.path("other.mbtiles"))
            let (transfer, entry, missing) = try versions.begin(try versions.source(versions.newer, id: UUID()))
            let older = try #require(transfer.deltaBasis(of: entry))
            let differing = try Transfers.missing(of: versions.newer, missing, entry.layout, older)
            // A tile of 20,000 bytes is on five pages and parts of two more.
            #expect((5 * 4096...7 * 4096).contains(differing.byteCount))
            transfer.abandon()
        }
    }

    @Test func anotherMapIsNoOlderVersion() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            var generator = SeededGenerator(seed: 3)
            let other = generator.bytes(100_000)
            let (transfer, entry, missing) = try versions.begin(try versions.source(other, id: UUID()))
            #expect(missing == entry.layout.allChunks)
            // Only tiles are looked for in a map of the same area.
            let basis = try #require(transfer.deltaBasis(of: entry))
            #expect(basis.bytes(in: 0..<4_096).readableBytes == 0)
            transfer.abandon()
            // But the region's own map may be one, however much of it has changed.
            let (second, _, _) = try versions.begin(try versions.source(other))
            #expect(second.deltaBasis(of: entry)?.bytes(in: 0..<4_096).readableBytes == 4_096)
            second.abandon()
        }
    }

    @Test func whatWasPutTogetherIsGoneOnWith() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try Versions(in: directory)
            let source = try versions.source(versions.newer)
            let (first, entry, missing) = try versions.begin(source)
            let position = try #require(missing.ranges.first?.lowerBound)
            let range = entry.layout.byteRange(of: position..<position + 1)
            let chunk = ByteBuffer(bytes: versions.newer[Int(range.lowerBound)..<Int(range.upperBound)])
            try first.writeAssembled(chunk, at: range.lowerBound, of: entry, arrivedCount: 4096)
            first.abandon()
            #expect(try versions.store.history().first?.byteCount == 4096)

            // The older version is gone; what was copied from it and what was put together is not.
            try versions.store.remove(versions.region.id)
            let (second, _, rest) = try versions.begin(source)
            #expect(Array(rest.ranges.joined()) == versions.changed.filter { $0 != position })
            second.abandon()
        }
    }
}
