import Foundation
import GRDB
import PeerCore
import PeerTestSupport
import Testing

@testable import RegionStore

/// Files that another program has open, or changes while they are copied.
@Suite struct LiveFileTests {
    @Test func whatIsInTheLogIsNotLostBehindASymbolicLink() async throws {
        try await TemporaryDirectory.with { directory in
            try FileManager.default.createDirectory(
                atPath: directory.path("maps"),
                withIntermediateDirectories: false
            )
            let other = try MapFile.small().write(to: directory.path("maps/live.mbtiles"))
            try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try await other.write { try $0.execute(sql: "INSERT INTO tiles VALUES (13, 4400, 5400, x'89504E47')") }
            try FileManager.default.createSymbolicLink(
                atPath: directory.path("link.mbtiles"),
                withDestinationPath: "maps/live.mbtiles"
            )
            let store = try RegionStore(path: directory.path("store"))

            let region = try store.importMap(at: directory.path("link.mbtiles"), name: "Alps").region

            #expect(region.tileCount == 22)
            #expect(region.zoomLevels == 10...13)
            try other.close()
        }
    }

    @Test func routingBehindASymbolicLinkIsWholeToo() async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let file = directory.path("live.db")
            try RoutingFixture(bounds: "11.26,47.05,11.59,47.27").write(to: file)
            let other = try DatabaseQueue(path: file)
            try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try await other.write { database in
                try database.execute(sql: "INSERT INTO routing_nodes VALUES (99, 47.1, 11.4, 1200)")
                try database.execute(sql: "UPDATE routing_metadata SET value = '21' WHERE key = 'node_count'")
            }
            try FileManager.default.createSymbolicLink(
                atPath: directory.path("link.db"),
                withDestinationPath: file
            )

            try store.importRouting(at: directory.path("link.db"), into: region.id)

            let stored = try StoreState(of: store).files.first { $0.key.hasSuffix(".routing.db") }
            let bytes = try #require(stored?.value)
            try bytes.write(to: URL(fileURLWithPath: directory.path("copy.db")))
            let copy = try DatabaseQueue(path: directory.path("copy.db"))
            let count = try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM routing_nodes") }
            #expect(count == 21)
            try other.close()
        }
    }

    /// Makes a map with changes in a log or a journal beside it, as a program leaves them that is killed, in a folder of its own.
    private static func makeUnfinished(isWAL: Bool, in directory: TemporaryDirectory) throws -> String {
        let written = directory.path("written.mbtiles")
        let folder = directory.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let queue = try MapFile.small().write(to: written, isWAL: isWAL)
        try queue.writeWithoutTransaction { database in
            // With little memory, SQLite writes to the file before the end of the transaction.
            try database.execute(sql: "PRAGMA cache_size = 1")
            if !isWAL { try database.execute(sql: "BEGIN") }
            try database.execute(sql: "INSERT INTO tiles VALUES (13, 4400, 5400, x'89504E47')")
            try database.execute(sql: "UPDATE tiles SET tile_data = x'FFD8FF' WHERE zoom_level < 13")
            for suffix in ["", isWAL ? "-wal" : "-journal"] {
                try FileManager.default.copyItem(atPath: written + suffix, toPath: folder + "/a.mbtiles" + suffix)
            }
            if !isWAL { try database.execute(sql: "ROLLBACK") }
        }
        try queue.close()
        return folder
    }

    @Test func whatAKilledProgramHasWrittenIsUndoneInTheCopy() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Self.makeUnfinished(isWAL: false, in: directory)
            let before = try FileManager.default.contents(of: folder)
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: folder + "/a.mbtiles").region
            #expect(region.tileCount == 21 && region.format == .png)
            #expect(try FileManager.default.contents(of: folder) == before)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    @Test func aLogWithoutAnIndexIsReadAndNothingIsLeftBesideIt() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Self.makeUnfinished(isWAL: true, in: directory)
            let before = try FileManager.default.contents(of: folder)
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: folder + "/a.mbtiles").region
            #expect(region.tileCount == 22 && region.zoomLevels == 10...13)
            #expect(try FileManager.default.contents(of: folder) == before)
            #expect(try StoreState.files(in: store, "work").isEmpty)
            let receiver = try RegionStore(path: directory.path("receiver"))
            try Transfers.run(try store.source(for: region.id), to: receiver.sink())
        }
    }

    /// SQLite deletes the file that the end of a journal names.
    @Test func aJournalThatNamesAnotherFileIsNotUsed() async throws {
        try await TemporaryDirectory.with { directory in
            let folder = try Self.makeUnfinished(isWAL: false, in: directory)
            let victim = Array((directory.path("victim")).utf8)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: directory.path("victim")))
            func word(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
            let checksum = victim.reduce(0 as UInt32) { $0 &+ UInt32($1) }
            let mark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
            let journal = try FileHandle(forUpdating: URL(fileURLWithPath: folder + "/a.mbtiles-journal"))
            try journal.seekToEnd()
            let end = word(0x4000_0000 / 4096 + 1) + victim + word(UInt32(victim.count)) + word(checksum) + mark
            try journal.write(contentsOf: Data(end))
            try journal.close()
            let store = try RegionStore(path: directory.path("store"))
            let error = try #require(throws: RegionStoreError.self) { try store.importMap(at: folder + "/a.mbtiles") }
            #expect(error.code == .invalidFile)
            #expect(error.message.contains("together with other files"), "\(error)")
            #expect(FileManager.default.fileExists(atPath: directory.path("victim")))
            #expect(try store.regions().isEmpty)
        }
    }

    /// A file in WAL mode that nobody has open has no log, and so nothing that could be locked.
    @Test(arguments: [false, true])
    func whatAnotherProgramWritesDuringTheCopyIsThereWholeOrNotAtAll(staysOpen: Bool) async throws {
        // In memory, where no file system lets files share their blocks.
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small(tileLength: 300_000).write(to: file, isWAL: true).close()
            try #require(!FileManager.default.fileExists(atPath: file + "-wal"))
            let other = Locked<DatabaseQueue?>(nil)
            let store = try RegionStore(path: directory.path("store"))

            let region = try store.importMap(at: file) { _, _ in
                // At the first step, when a part is copied and a part is not.
                other.withLock { other in
                    guard other == nil else { return }
                    other = try? Self.change(file)
                    if !staysOpen { try? other?.close() }
                }
            }.region

            try store.exportMap(of: region.id, to: directory.path("out.mbtiles"))
            let copy = try DatabaseQueue(path: directory.path("out.mbtiles"))
            let tiles = try await copy.read { try Data.fetchAll($0, sql: "SELECT DISTINCT tile_data FROM tiles") }
            #expect(tiles == [Data(MapFile.png + [UInt8](repeating: 1, count: 300_000))])
            try other.withLock { try $0?.close() }
        }
    }

    private static func change(_ file: String) throws -> DatabaseQueue {
        let other = try DatabaseQueue(path: file)
        let tile = Data(MapFile.png + [UInt8](repeating: 1, count: 300_000))
        try other.write { try $0.execute(sql: "UPDATE tiles SET tile_data = ?", arguments: [tile]) }
        return other
    }

    @Test func aFileThatChangesAgainAndAgainIsLeftAlone() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { directory in
            let file = directory.path("a.mbtiles")
            try MapFile.small(tileLength: 300_000).write(to: file, isWAL: true).close()
            let store = try RegionStore(path: directory.path("store"))
            let error = try #require(throws: RegionStoreError.self) {
                try store.importMap(at: file) { _, _ in
                    // The same byte as before, at another time.
                    let handle = FileHandle(forWritingAtPath: file)
                    handle?.write(Data("S".utf8))
                    try? handle?.close()
                }
            }
            #expect(error.code == .storage)
            #expect(error.message.contains("keeps being changed by another program"), "\(error.message)")
            #expect(error.remedy?.contains("Close") == true)
            #expect(try store.regions().isEmpty)
        }
    }
}

extension FileManager {
    /// The files of a folder, by their names.
    fileprivate func contents(of folder: String) throws -> [String: Data] {
        try Dictionary(
            uniqueKeysWithValues: contentsOfDirectory(atPath: folder).map { name in
                (name, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
            }
        )
    }
}
