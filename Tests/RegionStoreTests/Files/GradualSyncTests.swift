import FaultInjection
import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

@Suite(.timeLimit(.minutes(10))) struct GradualSyncTests {
    @Test func everyPartIsPutOnTheDisk() throws {
        let count = Locked(0)
        let sync = GradualSync(every: 100) { () throws(SystemError) in count.withLock { $0 += 1 } }
        for _ in 0..<9 { try sync.wrote(30) }
        try sync.finish()
        // After the fourth and the eighth.
        #expect(count.value == 2)
        for _ in 0..<10 { try sync.wrote(100) }
        try sync.finish()
        #expect(count.value == 12)
    }

    @Test func whatWentWrongIsSaidToWhoeverWritesNext() throws {
        let sync = GradualSync(every: 100) { () throws(SystemError) in throw SystemError(number: EIO) }
        try sync.wrote(99)
        try? sync.wrote(1)
        #expect(throws: SystemError(number: EIO)) { try sync.finish() }
        // It stays said: the system would say it once.
        #expect(throws: SystemError(number: EIO)) { try sync.wrote(1) }
        #expect(throws: SystemError(number: EIO)) { try sync.finish() }
    }

    /// Everything of a map arrives in a store, but the commit does not come.
    private func arrive(
        in directory: TemporaryDirectory,
        _ recorder: StepRecorder,
        every interval: UInt64
    ) throws -> (transfer: any IncomingTransfer, source: LyingSource, entry: ManifestEntry) {
        try MapFile.small(tileLength: 20_000).write(to: directory.path("a.mbtiles"))
        let sender = try RegionStore(path: directory.path("sender"))
        let region = try sender.importMap(at: directory.path("a.mbtiles")).region
        let map = Array(try Data(contentsOf: URL(fileURLWithPath: directory.path("a.mbtiles"))))
        let source = try LyingSource(region.region, [.mbtiles: map])
        let entry = try #require(source.manifest.entry(of: .mbtiles))
        let store = try RegionStore(path: recorder.folder + "/store", faults: recorder, syncInterval: interval)
        let transfer = try store.sink().begin(source.manifest, accepting: [.mbtiles])
        for run in try transfer.missingChunks(of: entry, digests: source.chunkDigests(of: entry)).ranges {
            for chunk in run {
                let range = entry.layout.byteRange(of: chunk..<chunk + 1)
                let bytes = ByteBuffer(bytes: map[Int(range.lowerBound)..<Int(range.upperBound)])
                try transfer.write([bytes], at: range.lowerBound, of: entry)
            }
        }
        return (transfer, source, entry)
    }

    @Test func aPowerCutCostsABoundedPartOfWhatArrived() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let folder = directory.path("cut")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let model = DiskModel(folder)
            let recorder = StepRecorder(
                in: folder,
                lookers: .init { _, step in
                    if step.changesDisk { model.look() }
                } synchronized: { path in
                    model.synchronized(path)
                }
            )
            let interval: UInt64 = 65_536
            let (transfer, source, entry) = try arrive(in: directory, recorder, every: interval)
            #expect(entry.size > 5 * interval)
            let other = directory.path("later")
            try DiskModel.make(model.wreck(.nothing), at: other)
            transfer.abandon()

            let store = try RegionStore(path: other + "/store")
            #expect(try store.incomingFiles().map(\.digest) == [entry.digest])
            let next = try store.sink().begin(source.manifest, accepting: [.mbtiles])
            let missing = try next.missingChunks(of: entry, digests: source.chunkDigests(of: entry))
            #expect(missing.byteCount(in: entry.layout) <= 2 * (interval + entry.layout.chunkLength))
            next.abandon()
        }
    }

    @Test func whatTheDiskRefusedIsNotCommitted() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let refusing = Refusing { $0 == .synchronize && $1.hasSuffix("/data") }
            let folder = directory.path("refused")
            try MapFile.small(tileLength: 20_000).write(to: directory.path("a.mbtiles"))
            let sender = try RegionStore(path: directory.path("sender"))
            let region = try sender.importMap(at: directory.path("a.mbtiles")).region
            let source = try sender.source(for: region.id)
            let store = try RegionStore(path: folder, faults: refusing, syncInterval: 200_000)
            let error = try #require(throws: RegionStoreError.self) { try Transfers.run(source, to: store.sink()) }
            #expect(error.code == .storage)
            #expect(error.message.contains("the disk reports an error"))
            #expect(error.remedy != nil)
            #expect(try store.regions().isEmpty)
        }
    }
}

/// Lets some calls fail.
private final class Refusing: StoreFaultInjector {
    private let refuses: @Sendable (FileOperation, String) -> Bool

    init(_ refuses: @escaping @Sendable (FileOperation, String) -> Bool) {
        self.refuses = refuses
    }

    func reach(_ point: FaultPoint) {}

    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int {
        guard !refuses(operation, path) else { throw SystemError(number: EIO) }
        return count
    }

    func end(_ operation: FileOperation, _ path: String) {}
}
