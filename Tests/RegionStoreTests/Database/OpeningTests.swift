import FaultInjection
import Foundation
import GRDB
import Glibc
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Opening a store and reading from it while another process is at work in it.
@Suite(.timeLimit(.minutes(10))) struct OpeningTests {
    @Test(arguments: [false, true])
    func readsWhileAnotherProcessWrites(hasEmptyLog: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let name = try store.displayName { "Anna" }
            try store.database.settle()
            let other = try DatabaseQueue(path: store.path + "/" + StoreDatabase.fileName)
            try other.writeWithoutTransaction { database in
                // What was written before is in the log or in the database, and the lock to write is taken.
                if !hasEmptyLog { try database.execute(sql: "INSERT INTO setting VALUES ('a', 'b')") }
                try database.execute(sql: "BEGIN IMMEDIATE; DELETE FROM region;")
                defer { try? database.execute(sql: "ROLLBACK") }
                let reading = try RegionStore(path: store.path)
                #expect(try reading.regions() == [region])
                #expect(try reading.waypoints(of: region.id).isEmpty)
                #expect(try reading.history().isEmpty)
                #expect(try reading.displayName { "Bert" } == name)
            }
        }
    }

    @Test func opensWhileTheStoreIsLocked() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let lock = try FileLock(StoreFolders.lockName, in: try Folder(store.path), .exclusive)
            #expect(try RegionStore(path: store.path).regions() == [region])
            withExtendedLifetime(lock) {}
        }
    }

    @Test func openingADatabaseThatIsUpToDateWritesNothing() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let path = try RegionStoreTests.store(in: directory).0.path
            let recorder = StepRecorder(in: directory.path)
            let count = try DatabaseFiles.watching(recorder) {
                try RegionStore(path: path, faults: recorder).regions().count
            }
            #expect(count == 1)
            #expect(!recorder.steps.contains { if case .database(.write, _) = $0 { true } else { false } })
        }
    }

    @Test func anOlderDatabaseIsMigrated() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let old = try DatabaseQueue(path: path + "/" + StoreDatabase.fileName)
            try StoreSchema.migrator.migrate(old, upTo: "v2")
            try old.close()
            let store = try RegionStore(path: path)
            #expect(try store.regions().isEmpty)
            #expect(try store.database.read { try StoreSchema.migrator.hasCompletedMigrations($0) })
        }
    }

    /// Turns a store into one from before the digests of resources had a tag.
    private static func takeTag(from path: String) throws {
        let database = try DatabaseQueue(path: path + "/" + StoreDatabase.fileName)
        try database.write { database in
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM regionFile"))
            let (id, size): (String, Int64) = (row["regionID"], row["size"])
            let (digest, chunkDigests): (Data, Data) = (row["digest"], row["chunkDigests"])
            let old = ContentDigest(
                hashing: withUnsafeBytes(of: UInt64(size).bigEndian) { Array($0) } + Array(chunkDigests)
            )
            let folder = path + "/regions/" + id + "/"
            let name = try #require(digest.withUnsafeBytes { ContentDigest(bytes: $0) }).hex + ".mbtiles"
            try FileManager.default.moveItem(atPath: folder + name, toPath: folder + old.hex + ".mbtiles")
            try database.execute(sql: "UPDATE regionFile SET digest = ?", arguments: [Data(old.bytes)])
            try database.execute(
                sql: """
                    ALTER TABLE regionFile DROP COLUMN fileName;
                    INSERT INTO mergedPhotoArchive (digest) VALUES (randomblob(32));
                    DELETE FROM grdb_migrations WHERE identifier = 'v5';
                    """
            )
        }
        try database.close()
    }

    @Test func theDigestsOfAnOlderStoreGetTheirTag() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            let (made, region) = try RegionStoreTests.store(in: directory)
            let file = try made.database.read { try RegionFileRecord.fetchOne(.mbtiles, of: region.id, $0) }
            let digest = try #require(file).digest
            try Self.takeTag(from: path)
            for _ in 0..<2 {
                let store = try RegionStore(path: path)
                #expect(try store.regions().map(\.id) == [region.id])
                let source = try store.source(for: region.id)
                let entry = try #require(source.manifest.entry(of: .mbtiles))
                #expect(entry.digest == digest)
                let chunkDigests = try source.chunkDigests(of: entry)
                #expect(ContentDigest(resourceSize: entry.size, chunkDigests: chunkDigests) == digest)
                // What is found by its digest is found again.
                #expect(try store.importMap(at: directory.path("a.mbtiles")).region.id == region.id)
                #expect(try store.database.read { try MergedPhotoArchive.digests($0) }.isEmpty)
            }
        }
    }

    @Test func aNewDatabaseGivesRoomBack() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try RegionStoreTests.store(in: directory)
            // 2 is incremental.
            #expect(try store.database.read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2)
        }
    }
}
