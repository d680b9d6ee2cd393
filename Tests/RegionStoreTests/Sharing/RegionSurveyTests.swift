import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// How much of an offer a store lacks, found out before the transfer begins.
@Suite(.timeLimit(.minutes(10))) struct RegionSurveyTests {
    /// What a survey says of each kind, and what is transferred then.
    struct Outcome {
        var estimate: [ResourceKind: UInt64] = [:]
        var transferred: [ResourceKind: UInt64] = [:]
        /// The kinds whose digests were needed.
        var compared: Set<ResourceKind> = []
    }

    /// Everything in the folder of a store with its time and its content, but for the database, which SQLite touches to read.
    private static func snapshot(_ store: RegionStore) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: store.path) where !path.contains("sqlite") {
            let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "/" + path)
            let bytes = FileManager.default.contents(atPath: store.path + "/" + path) ?? Data()
            found[path] = ["\(String(describing: attributes[.modificationDate]))", "\(bytes.hashValue)"]
        }
        return found
    }

    /// Counts the bytes that differ page by page, as a session does.
    private static func byteCount(
        _ missing: ChunkRuns,
        _ older: DeltaBasis?,
        of entry: ManifestEntry,
        _ bytes: [UInt8]
    ) throws -> UInt64 {
        guard let older else { return missing.byteCount(in: entry.layout) }
        let digests = try Transfers.pageDigests(of: bytes, older.chunks, entry.layout)
        let differing = PageComparison(layout: entry.layout, chunks: older.chunks, digests: digests)
            .differingPages { older.bytes(in: $0) }
        return missing.byteCount(in: entry.layout) - older.chunks.byteCount(in: entry.layout)
            + differing.byteCount(in: entry.layout)
    }

    /// Surveys an offer, then begins the transfer and compares again; nil for no survey.
    static func outcome(_ source: some ResourceSource, in store: RegionStore) throws -> Outcome? {
        let before = try snapshot(store)
        guard let survey = try store.sink().survey(of: source.manifest) else {
            #expect(try snapshot(store) == before)
            return nil
        }
        var outcome = Outcome(compared: survey.kindsToCompare)
        for entry in source.manifest.entries {
            outcome.estimate[entry.kind] = survey.byteCounts[entry.kind] ?? entry.size
            guard survey.kindsToCompare.contains(entry.kind) else { continue }
            let missing = try survey.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            outcome.estimate[entry.kind] = try byteCount(
                missing,
                try survey.deltaBasis(of: entry, for: missing),
                of: entry,
                try Transfers.bytes(of: entry, source)
            )
        }
        #expect(try snapshot(store) == before, "the survey has written")
        let kinds = Set(source.manifest.entries.map(\.kind))
        let transfer = try store.sink().begin(source.manifest, accepting: kinds)
        defer { transfer.abandon() }
        for entry in source.manifest.entries {
            let missing = try transfer.missingChunks(of: entry, digests: try source.chunkDigests(of: entry))
            outcome.transferred[entry.kind] = try byteCount(
                missing,
                try transfer.deltaBasis(of: entry, for: missing),
                of: entry,
                try Transfers.bytes(of: entry, source)
            )
        }
        return outcome
    }

    @Test func anEmptyStoreNeedsNoSurvey() async throws {
        try await TemporaryDirectory.with { directory in
            let pair = try RegionTransferTests.Pair(in: directory)
            let source = try pair.sender.source(for: pair.region.id)
            #expect(try Self.outcome(source, in: pair.receiver) == nil)
        }
    }

    @Test func theSameRegionNeedsNothingAndNoDigests() async throws {
        try await PhotoTransferTests.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let source = try world.sender.source(for: world.id)
            let outcome = try #require(try Self.outcome(source, in: world.receiver))
            #expect(outcome.estimate.values.allSatisfy { $0 == 0 } && outcome.estimate.count == 6)
            #expect(outcome.transferred == outcome.estimate)
            #expect(outcome.compared == [.photos])
        }
    }

    @Test func onePhotoMoreIsAllThatCounts() async throws {
        try await PhotoTransferTests.withWorld { world in
            try world.transfer(world.sender, world.receiver)
            let path = try Photos.file(9, size: 100_000, in: world.directory)
            try world.sender.importPhoto(at: path, for: world.waypoints[4].id, in: world.id)
            let source = try world.sender.source(for: world.id)
            let outcome = try #require(try Self.outcome(source, in: world.receiver))
            #expect(outcome.estimate == outcome.transferred)
            #expect(outcome.estimate[.photos] == 7 * 16_384)
            // The waypoint has changed, and with it the list.
            #expect(outcome.estimate[.waypoints] == source.manifest.entry(of: .waypoints)?.size)
            #expect(outcome.estimate[.mbtiles] == 0)
        }
    }

    @Test(arguments: [true, false]) func ofANewerMapThePagesThatDifferCount(isSameRegion: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try NewerVersionTests.Versions(in: directory)
            let source = try versions.source(versions.newer, id: isSameRegion ? nil : UUID())
            let outcome = try #require(try Self.outcome(source, in: versions.store))
            #expect(outcome.compared == [.mbtiles])
            #expect(outcome.estimate == outcome.transferred)
            #expect((5 * 4096...7 * 4096).contains(outcome.estimate[.mbtiles] ?? 0))
        }
    }

    @Test func whatAnInterruptedTransferLeftCounts() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            try offer.write(7..<8, to: first)
            // While that transfer runs, nothing is said of its files.
            #expect(try offer.store.sink().survey(of: offer.source.manifest) == nil)
            first.abandon()
            let outcome = try #require(try Self.outcome(offer.source, in: offer.store))
            #expect(outcome.estimate == outcome.transferred)
            #expect(outcome.estimate[.mbtiles] == offer.entry.size - 6 * offer.entry.layout.chunkLength)
        }
    }

    /// A file that was written to is not what it was; only then is it read.
    @Test func whatTheDiskHasDamagedCounts() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try NewerVersionTests.Versions(in: directory)
            let intact = try #require((0..<10).first { !versions.changed.contains($0) })
            for source in [try versions.source(versions.older), try versions.source(versions.newer)] {
                try versions.damage(at: intact * 16_384 + 5)
                let outcome = try #require(try Self.outcome(source, in: versions.store))
                #expect(outcome.compared == [.mbtiles])
                #expect(outcome.estimate == outcome.transferred)
                // One page of the damaged chunk, and those that are newer.
                let isNewer = source.manifest.entry(of: .mbtiles)?.digest != versions.region.mapDigest
                #expect((isNewer ? 6 * 4096...8 * 4096 : 4096...4096).contains(outcome.estimate[.mbtiles] ?? 0))
            }
        }
    }

    @Test func aStoppedSurveyEndsEarly() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            first.abandon()
            let survey = try #require(try offer.store.sink().survey(of: offer.source.manifest))
            survey.stop()
            #expect(throws: (any Error).self) {
                try survey.missingChunks(of: offer.entry, digests: try offer.source.chunkDigests(of: offer.entry))
            }
        }
    }

    @Test func onlyWhatIsWantedIsSurveyed() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try NewerVersionTests.Versions(in: directory)
            let source = try versions.source(versions.newer)
            #expect(try versions.store.sink(wanting: [.waypoints]).survey(of: source.manifest) == nil)
            #expect(try versions.store.sink(wanting: [.mbtiles]).survey(of: source.manifest) != nil)
        }
    }
}
