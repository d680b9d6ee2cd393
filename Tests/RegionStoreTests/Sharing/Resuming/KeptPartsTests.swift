import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// What stays of files that have begun to arrive, and what does not.
@Suite struct KeptPartsTests {
    private static func digests(incomingIn store: RegionStore) throws -> Set<ContentDigest> {
        Set(try store.incomingFiles().map(\.digest))
    }

    /// A sender that lies about one file is not trusted with others, but what came of them before is not its own.
    @Test(arguments: [true, false]) func aLieAboutOneFileCostsWhatCameOfOthersInThisTransferOnly(
        before: Bool
    ) async throws {
        try await TemporaryDirectory.with { directory in
            var offer = try ResumeTests.Offer(in: directory)
            let region = try offer.source.manifest.description(as: Region.self)
            if before {
                let first = try offer.begin()
                _ = try offer.missing(first)
                try offer.write(0..<5, to: first)
                first.abandon()
            }
            offer.source = try LyingSource(
                region,
                offer.source.resources.merging([.routing: [UInt8](repeating: 7, count: 50_000)]) { first, _ in first }
            )
            let routing = try #require(offer.source.manifest.entry(of: .routing))
            let transfer = try offer.store.sink().begin(offer.source.manifest, accepting: [.mbtiles, .routing])
            _ = try offer.missing(transfer)
            try offer.write(5..<8, to: transfer)
            try Transfers.send(routing, of: offer.source, to: transfer)
            let error = try #require(throws: RegionStoreError.self) { try transfer.finish(routing) }
            #expect(error.code == .refused)
            transfer.abandon()
            #expect(try Self.digests(incomingIn: offer.store) == (before ? [offer.entry.digest] : []))
        }
    }

    @Test func whatBeganToArriveGoesWhenTheStoreHasTheWholeFile() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            first.abandon()
            #expect(try Self.digests(incomingIn: offer.store) == [offer.entry.digest])
            try offer.store.importMap(at: directory.path("a.mbtiles"))
            let second = try offer.begin()
            #expect(try offer.missing(second).isEmpty)
            second.abandon()
            #expect(try offer.store.incomingFiles().isEmpty)
        }
    }

    /// Photos that were received once and removed here are received again, and go on after a break as well.
    @Test func aPhotoListThatWasMergedOnceIsKeptWhenItComesAgain() async throws {
        try await TemporaryDirectory.with { directory in
            let world = try PhotoTransferTests.World(in: directory)
            try world.transfer(world.sender, world.receiver)
            try world.receiver.remove(world.id)
            let source = try world.sender.source(for: world.id)
            let entry = try #require(source.manifest.entry(of: .photos))
            let bytes = try Transfers.bytes(of: entry, source)
            let transfer = try world.receiver.sink().begin(
                source.manifest,
                accepting: [.mbtiles, .waypoints, .photos]
            )
            _ = try transfer.missingChunks(of: entry, digests: source.chunkDigests(of: entry))
            try transfer.write([ByteBuffer(bytes: bytes[0..<5 * 16_384])], at: 0, of: entry)
            transfer.abandon()
            let again = try RegionStore(path: world.receiver.path)
            #expect(try Self.digests(incomingIn: again).contains(entry.digest))
        }
    }
}
