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
            try store.setDisplayName("Anna")
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
                #expect(try reading.displayName() == "Anna")
            }
        }
    }

    @Test func opensWhileTheStoreIsLocked() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let lock = try FileLock(FileLock.name, in: try Folder(store.path), .exclusive)
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

    @Test func aNewDatabaseGivesRoomBack() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, _) = try RegionStoreTests.store(in: directory)
            // 2 is incremental.
            #expect(try store.database.read { try Int.fetchOne($0, sql: "PRAGMA auto_vacuum") } == 2)
        }
    }

    /// A window opens the store for each job, and shows regions meanwhile.
    ///
    /// Without its locks, another process that closes the store would take SQLite's log from under it.
    @Test(arguments: [StoreAccess.creating, .writing, .reading])
    func openingAStoreOnceMoreKeepsTheLocksOfTheProcess(access: StoreAccess) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("store")
            let store = try RegionStore(path: path)
            #expect(try store.regions().isEmpty)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/hikeshare.sqlite")
            let number = try #require(attributes[.systemFileNumber] as? UInt64)
            func lockCount() throws -> Int {
                try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                    .count { $0.contains("POSIX") && $0.contains(":\(number) ") }
            }
            #expect(try lockCount() > 0)
            #expect(try RegionStore(path: path, access: access).regions().isEmpty)
            #expect(try lockCount() > 0)
            withExtendedLifetime(store) {}
        }
    }
}
