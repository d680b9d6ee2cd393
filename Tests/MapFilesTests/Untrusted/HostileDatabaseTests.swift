import Foundation
import GRDB
import MapFiles
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

/// SQLite files that want more of the machine than a map may.
@Suite(.timeLimit(.minutes(10))) struct HostileDatabaseTests {
    @Test func aViewThatSortsWithoutEndFillsNeitherMemoryNorDisk() async throws {
        // The limit on SQLite's memory is one for the whole process, so tests that run beside this one would fail, too.
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                let path = directory.path("bomb.mbtiles")
                // Every row is another one, so memory is full in a second or two.
                try HostileMap.make(path, rows: 3000, factors: 2, isDistinct: true)
                // Time is not what ends it: a minute is enough to fill a disk.
                let database = try UntrustedDatabase(
                    path,
                    .immutable,
                    within: CheckLimits(seconds: 60, memory: 16 << 20)
                )
                let error = try #require(throws: RegionStoreError.self) { try MapDescription(checking: database) }
                #expect(error.code == .storage)
                #expect(error.message.contains("too much memory"), "\(error.message)")
                // Nothing waits in a temporary file, open and without a name.
                let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                }
                #expect(!links.contains { $0.contains("etilqs") })
            }
        }
    }

    @Test func aViewThatComputesForYearsIsStopped() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("bomb.mbtiles")
            try HostileMap.make(path, rows: 1000, factors: 9)
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 0.5, memory: 64 << 20))
            let error = try #require(throws: RegionStoreError.self) { try MapDescription(checking: database) }
            #expect(error.code == .storage)
            #expect(error.message.contains("takes too long"), "\(error.message)")
        }
    }

    /// Twelve pages of which each names the next one as its child 80 times: a table whose rows nobody lives to count.
    private static func makeEndlessTable(_ path: String) throws {
        let pageLength = 512
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: "PRAGMA page_size = \(pageLength); VACUUM; CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1)"
            )
        }
        try queue.close()
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        try #require(bytes.count == 2 * pageLength)
        let leaf = Array(bytes[pageLength...])
        bytes.removeLast(pageLength)
        let lastPage: UInt8 = 12
        for page in 2..<lastPage {
            // An interior page (SQLite's file format, section 1.6): its header, where its cells are, and one cell.
            var interior = [UInt8](repeating: 0, count: pageLength)
            let cell = pageLength - 5
            interior.replaceSubrange(
                0..<12,
                with: [5, 0, 0, 0, 80, UInt8(cell >> 8), UInt8(cell & 0xFF), 0, 0, 0, 0, page + 1]
            )
            for position in 0..<80 {
                interior[12 + 2 * position] = UInt8(cell >> 8)
                interior[13 + 2 * position] = UInt8(cell & 0xFF)
            }
            interior.replaceSubrange(cell..<pageLength, with: [0, 0, 0, page + 1, 1])
            bytes += interior
        }
        bytes += leaf
        bytes.replaceSubrange(28..<32, with: [0, 0, 0, lastPage])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func aSingleStepThatTakesForEverIsStopped() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("endless.db")
            try Self.makeEndlessTable(path)
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 0.5, memory: 64 << 20))
            let error = try #require(throws: RegionStoreError.self) { try database.query("SELECT count(*) FROM t") }
            #expect(error.code == .storage)
            #expect(error.message.contains("takes too long"), "\(error.message)")
        }
    }
}
