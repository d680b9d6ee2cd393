import FaultInjection
import Foundation
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// A map that has arrived and could not be checked: nothing is said against it, so it stays.
@Suite struct KeptArrivalTests {
    // Other tests of the process may free memory of SQLite meanwhile, so a limit of 0 would not always be passed.
    @Test(arguments: [
        CheckLimits(seconds: -1, memory: 64 << 20), CheckLimits(seconds: 60, memory: .min / 2),
    ])
    func aMapWhoseCheckReachesALimitIsKeptAndOnlyCheckedTheNextTime(limits: CheckLimits) async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            let source = try sender.source(for: region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let receiver = try RegionStore(path: directory.path("receiver"))
            var sink = receiver.sink()
            sink.checkLimits = { _ in limits }

            let error = try #require(throws: RegionStoreError.self) { try Transfers.run(source, to: sink) }

            #expect(error.code == .storage)
            #expect(error.remedy?.contains("Received data is kept") == true, "\(error)")
            #expect(!error.reportToPeer.contains(directory.path), "\(error)")
            let kept = try receiver.incomingFiles()
            #expect(kept.map(\.digest) == [entry.digest])
            #expect(try receiver.regions().isEmpty)

            let transfer = try receiver.sink().begin(source.manifest, accepting: [.mbtiles])
            #expect(try Transfers.send(entry, of: source, to: transfer) == 0)
            try transfer.finish(entry)
            _ = try transfer.commit()
            #expect(try receiver.region(region.id).mapDigest == entry.digest)
            #expect(try receiver.incomingFiles().isEmpty)
        }
    }

    @Test func routingThatReachesALimitIsKeptToo() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            try RoutingFixture().write(to: directory.path("r.db"))
            try sender.importRouting(at: directory.path("r.db"), into: region.id)
            let source = try sender.source(for: region.id)
            let receiver = try RegionStore(path: directory.path("receiver"))
            var sink = receiver.sink()
            let map = try #require(source.manifest.entry(of: .mbtiles))
            sink.checkLimits = { size in
                size == map.size ? .receiving(size: size) : .init(seconds: -1, memory: 64 << 20)
            }

            let error = try #require(throws: RegionStoreError.self) { try Transfers.run(source, to: sink) }

            #expect(error.code == .storage)
            #expect(Set(try receiver.incomingFiles().map(\.kind)) == [.mbtiles, .routing])
        }
    }

    @Test func theLimitsGrowWithTheFile() {
        for limits in [CheckLimits.receiving, CheckLimits.importing] {
            // A stranger's small file ends soon.
            #expect(limits(4096).seconds < 30)
            // 50 million tiles take half an hour on a slow laptop.
            #expect(limits(2_000_000_000).seconds > 1800)
            #expect(limits(20_000_000_000).memory == limits(4096).memory)
        }
        #expect(CheckLimits.receiving(size: .max).memory <= 12 << 20)
        #expect(CheckLimits.thorough(size: .max).memory <= 128 << 20)
    }

    /// What this machine accepts, a receiver that is somewhat slower accepts, too.
    @Test(arguments: [0, 4096, 2_000_000_000, 20_000_000_000] as [UInt64])
    func importsAreCheckedMoreStrictlyThanWhatArrives(size: UInt64) {
        #expect(CheckLimits.importing(size: size).memory < CheckLimits.receiving(size: size).memory)
        #expect(CheckLimits.importing(size: size).seconds * 1.3 < CheckLimits.receiving(size: size).seconds)
        #expect(CheckLimits.oneImportedTile.memory < CheckLimits.oneTile.memory)
        #expect(CheckLimits.oneImportedTile.seconds < CheckLimits.oneTile.seconds)
    }

    /// Who stops a transfer does not wait for its check.
    @Test(arguments: [false, true])
    func theCheckEndsWithTheTransfer(isOnlyStopped: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            try HostileMap.make(directory.path("bomb.mbtiles"), rows: 1000, factors: 9)
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("bomb.mbtiles"))))
            let world = try LiesTests.World(in: directory)
            let source = try LyingSource(world.region, [.mbtiles: bytes])
            let transfer = Locked<(any IncomingTransfer)?>(nil)
            let path = directory.path("receiver")
            let recorder = StepRecorder(
                in: path,
                lookers: .init { _, step in
                    guard case .database(.read, let name) = step, name.hasSuffix("/mbtiles") else { return }
                    if isOnlyStopped { transfer.value?.stop() } else { transfer.value?.abandon() }
                } synchronized: { _ in
                }
            )
            let receiver = try RegionStore(path: path, faults: recorder)
            var sink = receiver.sink()
            // Far less than the check would take, so that a failure is one.
            sink.checkLimits = { _ in CheckLimits(seconds: 10, memory: 64 << 20) }
            let entry = try #require(source.manifest.entry(of: .mbtiles))

            try DatabaseFiles.watching(recorder) {
                let begun = try sink.begin(source.manifest, accepting: [.mbtiles])
                transfer.set(begun)
                try Transfers.send(entry, of: source, to: begun)
                #expect(throws: CancellationError.self) { try begun.finish(entry) }
                begun.abandon()
            }
            #expect(try receiver.incomingFiles().map(\.digest) == [entry.digest])
        }
    }
}
