import FaultInjection
import Foundation
import Glibc
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// How much of an offer a store lacks, found out before the transfer begins.
@Suite(.timeLimit(.minutes(10))) struct RegionSurveyTests {
    /// What is located of each kind, and what is transferred then.
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

    /// Counts the bytes that differ piece by piece, as a transfer does.
    private static func byteCount(
        _ missing: ChunkRuns,
        _ older: DeltaBasis?,
        of entry: ManifestEntry,
        _ bytes: [UInt8]
    ) throws -> UInt64 {
        guard let older else { return missing.byteCount(in: entry.layout) }
        let differing = try Transfers.missing(of: bytes, older.chunks, entry.layout, older)
        return missing.byteCount(in: entry.layout) - older.chunks.byteCount(in: entry.layout) + differing.byteCount
    }

    /// Locates what is here of an offer, then begins the transfer and compares again; nil if nothing is here.
    static func outcome(_ source: some ResourceSource, in store: RegionStore) throws -> Outcome? {
        let before = try snapshot(store)
        let sink = store.sink()
        let presence = try sink.presence(of: source.manifest)
        guard !presence.isEmpty else {
            #expect(try snapshot(store) == before)
            return nil
        }
        var outcome = Outcome()
        var found: [ResourceKind: LocatedChunks] = [:]
        for entry in source.manifest.entries {
            switch presence[entry.kind] {
            case .whole(let located):
                found[entry.kind] = located
            case .partial:
                outcome.compared.insert(entry.kind)
                let digests = try source.chunkDigests(of: entry)
                found[entry.kind] = try sink.locate(entry, of: source.manifest, digests: digests) { false }
            case nil:
                break
            }
            outcome.estimate[entry.kind] = try byteCount(
                found[entry.kind]?.missing ?? entry.layout.allChunks,
                found[entry.kind]?.older,
                of: entry,
                try Transfers.bytes(of: entry, source)
            )
        }
        #expect(try snapshot(store) == before, "something was written")
        let kinds = Set(source.manifest.entries.map(\.kind))
        let transfer = try sink.begin(source.manifest, accepting: kinds)
        defer { transfer.abandon() }
        for entry in source.manifest.entries {
            let digests = try source.chunkDigests(of: entry)
            let located =
                try found[entry.kind] ?? sink.locate(entry, of: source.manifest, digests: digests) { false }
            outcome.transferred[entry.kind] = try byteCount(
                try transfer.missingChunks(of: entry, digests: digests, located: located),
                located.older,
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
            #expect(try offer.store.sink().presence(of: offer.source.manifest).isEmpty)
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

    /// What has changed after it was located is transferred.
    @Test(arguments: [true, false]) func whatChangesAfterItWasLocatedIsMissing(isSameMap: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try NewerVersionTests.Versions(in: directory)
            let intact = try #require((0..<10).first { !versions.changed.contains($0) })
            let source = try versions.source(isSameMap ? versions.older : versions.newer)
            let (sink, entry) = (versions.store.sink(), try #require(source.manifest.entry(of: .mbtiles)))
            let digests = try source.chunkDigests(of: entry)
            let located = try sink.locate(entry, of: source.manifest, digests: digests) { false }
            #expect(Array(located.missing.ranges.joined()) == (isSameMap ? [] : versions.changed))
            try versions.damage(at: intact * 16_384 + 5)
            let transfer = try sink.begin(source.manifest, accepting: [.mbtiles])
            let missing = try transfer.missingChunks(of: entry, digests: digests, located: located)
            let expected = isSameMap ? Array(0..<entry.layout.chunkCount) : (versions.changed + [intact]).sorted()
            #expect(Array(missing.ranges.joined()) == expected)
            transfer.abandon()
        }
    }

    @Test(arguments: [true, false]) func aKeptPartIsReadAgainOnlyIfItHasChanged(hasChanged: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            first.abandon()
            let (entry, manifest) = (offer.entry, offer.source.manifest)
            let folder = try offer.store.folders.incoming.folder.folder(
                ReceivedParts.name(entry.digest, size: entry.size)
            )
            let data = try folder.openFile(ReceivedPart.dataName, O_RDWR)
            // The time of a file that was just written says nothing.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60)],
                ofItemAtPath: data.path
            )
            let recorder = StepRecorder(in: offer.store.path)
            let sink = try RegionStore(path: offer.store.path, faults: recorder).sink()
            let digests = try offer.source.chunkDigests(of: entry)
            let located = try sink.locate(entry, of: manifest, digests: digests) { false }
            #expect(located.missing.ranges == [5..<entry.layout.chunkCount])
            if hasChanged { try data.write([1, 2, 3], at: 3 * entry.layout.chunkLength) }

            let stepCount = recorder.steps.count
            let transfer = try sink.begin(manifest, accepting: [.mbtiles])
            let missing = try transfer.missingChunks(of: entry, digests: digests, located: located)
            #expect(missing.ranges == (hasChanged ? [3..<4] : []) + [5..<entry.layout.chunkCount])
            let hasRead = recorder.steps[stepCount...].contains { step in
                if case .file(.read, let name) = step { name.hasSuffix("/data") } else { false }
            }
            #expect(hasRead == hasChanged)
            transfer.abandon()
        }
    }

    @Test func aSearchThatIsStoppedEndsEarly() async throws {
        try await TemporaryDirectory.with { directory in
            let offer = try ResumeTests.Offer(in: directory)
            let first = try offer.begin()
            _ = try offer.missing(first)
            try offer.write(0..<5, to: first)
            first.abandon()
            let digests = try offer.source.chunkDigests(of: offer.entry)
            #expect(throws: (any Error).self) {
                try offer.store.sink().locate(offer.entry, of: offer.source.manifest, digests: digests) { true }
            }
        }
    }

    @Test func onlyWhatIsWantedIsSurveyed() async throws {
        try await TemporaryDirectory.with { directory in
            let versions = try NewerVersionTests.Versions(in: directory)
            let source = try versions.source(versions.newer)
            #expect(try versions.store.sink(wanting: [.waypoints]).presence(of: source.manifest).isEmpty)
            #expect(try !versions.store.sink(wanting: [.mbtiles]).presence(of: source.manifest).isEmpty)
        }
    }
}
