import FaultInjection
import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// What one process on a store does at the very moment at which another one does something else.
@Suite struct LockOrderTests {
    /// Who collects holds the store's lock and then waits until nobody reads the database.
    @Test func nothingIsReadWhileASourceWaitsForTheLockOfTheStore() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            let region = try RegionStore(path: path).importMap(at: directory.path("a.mbtiles")).region
            let blocked = Locked<[Bool]>([])
            let recorder = StepRecorder(
                in: path,
                lookers: .init { _, step in
                    guard case .file(.lock, "lock") = step else { return }
                    blocked.withLock { $0.append(Self.isReading(path)) }
                } synchronized: { _ in
                }
            )
            let store = try RegionStore(path: path, faults: recorder)
            // As every transaction leaves something in the log.
            try store.add([try Items.waypoint()], to: region.id)
            blocked.withLock { $0 = [] }

            _ = try store.source(for: region.id)

            #expect(!blocked.value.isEmpty)
            #expect(!blocked.value.contains(true))
        }
    }

    /// Says whether somebody reads a store's database, by trying what has to wait for that.
    private static func isReading(_ path: String) -> Bool {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        guard let queue = try? DatabaseQueue(path: path + "/hikeshare.sqlite", configuration: configuration) else {
            return true
        }
        let result = try? queue.writeWithoutTransaction { database in
            // Else the log may be empty, and then nobody has to wait.
            try database.execute(sql: "UPDATE region SET name = name")
            return try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        return result != 0
    }

    /// The files of a region have their names shortly before the database knows them.
    @Test func nobodyCollectsFilesThatAreBeingCommitted() async throws {
        try await TemporaryDirectory.with { directory in
            let (sender, region) = try RegionStoreTests.store(in: directory)
            let path = directory.path("receiver")
            let other = try RegionStore(path: path)
            let hasCollected = Locked(false)
            let recorder = StepRecorder(
                in: path,
                lookers: .init { _, step in
                    guard case .point(.beginTransaction) = step else { return }
                    other.collectGarbage()
                    hasCollected.set(true)
                } synchronized: { _ in
                }
            )
            let receiver = try RegionStore(path: path, faults: recorder)
            try Transfers.run(try sender.source(for: region.id), to: receiver.sink())
            #expect(hasCollected.value)
            try receiver.exportMap(of: region.id, to: directory.path("out.mbtiles"))
        }
    }

    @Test func aMapThatIsRemovedDuringItsImportIsImportedAnew() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            try MapFile.small().write(to: directory.path("a.mbtiles"))
            let other = try RegionStore(path: path)
            let region = try other.importMap(at: directory.path("a.mbtiles")).region
            let removed = Locked(false)
            let recorder = StepRecorder(
                in: path,
                lookers: .init { _, step in
                    // The file gets its place after it was found that the region has it, and before the transaction.
                    guard case .file(.rename, let name) = step, name.hasPrefix("regions/") else { return }
                    let isFirst = removed.withLock { removed in
                        defer { removed = true }
                        return !removed
                    }
                    if isFirst {
                        try? other.database.write { _ = try RegionRecord.deleteOne($0, key: region.id.uuidString) }
                    }
                } synchronized: { _ in
                }
            )
            let store = try RegionStore(path: path, faults: recorder)

            let stored = try store.importMap(at: directory.path("a.mbtiles"))

            #expect(removed.value)
            #expect(stored.isNew)
            #expect(try store.regions().map(\.id) == [stored.region.id])
            try store.exportMap(of: stored.region.id, to: directory.path("out.mbtiles"))
        }
    }
}
