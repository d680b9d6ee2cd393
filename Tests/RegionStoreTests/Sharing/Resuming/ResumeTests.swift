import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
    /// A map of many chunks, offered to a store.
    struct Offer {
        var source: LyingSource
        var store: RegionStore
        var entry: ManifestEntry

        init(in directory: TemporaryDirectory) throws {
            try MapFile.small(tileLength: 20_000).write(to: directory.path("a.mbtiles"))
            let sender = try RegionStore(path: directory.path("sender"))
            let region = try sender.importMap(at: directory.path("a.mbtiles")).region
            let map = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("a.mbtiles"))))
            source = try LyingSource(region.region, [.mbtiles: map])
            store = try RegionStore(path: directory.path("receiver"))
            entry = try #require(source.manifest.entry(of: .mbtiles))
            #expect(entry.layout.chunkCount > 20)
        }

        func begin() throws -> any IncomingTransfer {
            try store.sink().begin(source.manifest, accepting: [.mbtiles])
        }

        func missing(_ transfer: any IncomingTransfer) throws -> [Range<Int>] {
            try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry)).ranges
        }

        func write(_ chunks: Range<Int>, to transfer: any IncomingTransfer) throws {
            let range = entry.layout.byteRange(of: chunks)
            let bytes = source.resources[.mbtiles]?[Int(range.lowerBound)..<Int(range.upperBound)] ?? []
            try transfer.write([ByteBuffer(bytes: bytes)], at: range.lowerBound, of: entry)
        }

        func finish(_ transfer: any IncomingTransfer) throws {
            try transfer.finish(entry)
            _ = try transfer.commit()
            let path = try store.folders.path(
                of: #require(
                    try store.database.read { try KnownFile.fetchOne(.mbtiles, of: source.manifest.id, $0) }
                )
            )
            #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == source.resources[.mbtiles])
            #expect(try StoreState.files(in: store, "incoming").isEmpty)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func theNextTransferAsksOnlyForWhatIsMissing() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let count = offer.entry.layout.chunkCount
            let first = try offer.begin()
            #expect(try offer.missing(first) == [0..<count])
            try offer.write(0..<5, to: first)
            try offer.write(7..<8, to: first)
            first.abandon()

            let kept = try #require(try offer.store.incomingFiles().first)
            #expect(kept.digest == offer.entry.digest)
            #expect(kept.kind == .mbtiles)
            #expect(kept.size == offer.entry.size)
            #expect(kept.regionID == offer.source.manifest.id)
            #expect(kept.byteCount >= 6 * offer.entry.layout.chunkLength)
            #expect(kept.byteCount < offer.entry.size)
            #expect(!kept.isArriving)

            let second = try offer.begin()
            #expect(try offer.missing(second) == [5..<7, 8..<count])
            try offer.write(5..<7, to: second)
            try offer.write(8..<count, to: second)
            try offer.finish(second)
        }
    }

    @Test func whatADeadProcessLeftIsGoneOnWith() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let folder =
                offer.store.path + "/incoming/" + ReceivedParts.name(offer.entry.digest, size: offer.entry.size)
            // As a process that died in the middle leaves it: nobody has said what is there.
            var first: (any IncomingTransfer)? = try offer.begin()
            try first.map { _ = try offer.missing($0) }
            try first.map { try offer.write(3..<9, to: $0) }
            let left = try Data(contentsOf: URL(fileURLWithPath: folder + "/data"))
            first?.abandon()
            first = nil
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try left.write(to: URL(fileURLWithPath: folder + "/data"))

            _ = try RegionStore(path: offer.store.path)
            let second = try offer.begin()
            #expect(try offer.missing(second) == [0..<3, 9..<offer.entry.layout.chunkCount])
            second.abandon()
        }
    }

    @Test func whatChangedOnTheDiskIsAskedForAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let count = offer.entry.layout.chunkCount
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<count, to: first)
            first.abandon()

            let file = try OpenFile(
                offer.store.path + "/incoming/\(ReceivedParts.name(offer.entry.digest, size: offer.entry.size))/data",
                O_RDWR
            )
            try file.write([0xff], at: 4 * offer.entry.layout.chunkLength + 17)

            let second = try offer.begin()
            #expect(try offer.missing(second) == [4..<5])
            try offer.write(4..<5, to: second)
            try offer.finish(second)
        }
    }

    @Test func whateverIsInItsPlaceIsNoHarm() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let folder =
                offer.store.path + "/incoming/" + ReceivedParts.name(offer.entry.digest, size: offer.entry.size)
            let count = offer.entry.layout.chunkCount
            for length in [0, 1, Int(offer.entry.size) - 1, Int(offer.entry.size), Int(offer.entry.size) + 1] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(repeating: 7, count: length).write(to: URL(fileURLWithPath: folder + "/data"))
                let transfer = try offer.begin()
                #expect(try offer.missing(transfer) == [0..<count], "\(length) bytes")
                transfer.abandon()
            }
            let last = try offer.begin()
            _ = try offer.missing(last)
            try offer.write(0..<count, to: last)
            try offer.finish(last)
        }
    }

    @Test func whoClaimsAnotherSizeDestroysNothing() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let count = offer.entry.layout.chunkCount
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            first.abandon()

            var lie = offer
            let layout = try #require(ChunkLayout(size: 4096))
            var region = try offer.source.manifest.description(as: Region.self)
            region.fileSizeBytes = 4096
            lie.entry = ManifestEntry(name: offer.entry.name, layout: layout, digest: offer.entry.digest)
            let manifest = try Manifest(id: region.id, describing: region, entries: [lie.entry])
            let transfer = try lie.store.sink().begin(manifest, accepting: [.mbtiles])
            #expect(throws: RegionStoreError.self) {
                try transfer.missingChunks(of: lie.entry, digests: [ContentDigest(hashing: [])])
            }
            transfer.abandon()

            let second = try offer.begin()
            #expect(try offer.missing(second) == [5..<count])
            second.abandon()
        }
    }

    @Test func twoAtOnceBothArrive() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let count = offer.entry.layout.chunkCount
            let first = try offer.begin()
            _ = try offer.missing(first)
            // The same map as part of something else.
            var other = offer
            var region = try offer.source.manifest.description(as: Region.self)
            region.name = "Other"
            other.source = try LyingSource(region, [.mbtiles: offer.source.resources[.mbtiles] ?? []])
            other.entry = try #require(other.source.manifest.entry(of: .mbtiles))
            let second = try other.begin()
            #expect(try other.missing(second) == [0..<count])
            try other.write(0..<count, to: second)
            try offer.write(0..<count, to: first)
            try first.finish(offer.entry)
            _ = try first.commit()
            try other.finish(second)
        }
    }

    @Test func whatIsRefusedIsNotKept() async throws {
        try await TemporaryDirectory.with { directory in
            var offer = try Offer(in: directory)
            let region = try offer.source.manifest.description(as: Region.self)
            offer.source = try LyingSource(region, offer.source.resources) { $0.tileCount = 1 }
            let transfer = try offer.begin()
            _ = try offer.missing(transfer)
            try offer.write(0..<offer.entry.layout.chunkCount, to: transfer)
            #expect(throws: RegionStoreError.self) { try transfer.finish(offer.entry) }
            transfer.abandon()
            #expect(try offer.store.incomingFiles().isEmpty)
            #expect(try StoreState.files(in: offer.store, "incoming").isEmpty)
        }
    }

    @Test func whatIsDiscardedIsGone() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let transfer = try offer.begin()
            _ = try offer.missing(transfer)
            try offer.write(0..<2, to: transfer)
            let arriving = try #require(try offer.store.incomingFiles().first)
            #expect(throws: RegionStoreError.self) { try offer.store.discard(arriving) }
            transfer.abandon()
            try offer.store.discard(arriving)
            #expect(try StoreState.files(in: offer.store, "incoming").isEmpty)
            try offer.store.discard(arriving)
        }
    }

    @Test func whatIsThereNeedsNoRoom() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try Offer(in: directory)
            let transfer = try offer.begin()
            _ = try offer.missing(transfer)
            try offer.write(0..<offer.entry.layout.chunkCount - 1, to: transfer)
            transfer.abandon()
            var sink = offer.store.sink()
            let reserve: UInt64 = 64 << 20
            sink.space = { _ in (reserve + offer.entry.layout.chunkLength, 0) }
            try sink.examine(offer.source.manifest)
            sink.space = { _ in (reserve - 1, 0) }
            #expect(throws: RegionStoreError.self) { try sink.examine(offer.source.manifest) }
        }
    }
}
