import Foundation
import GRDB
import PeerStorage
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import MapFiles

/// What an import takes is known before it begins, and is no promise of the file.
@Suite struct ImportCostTests {
    private func withArchive(_ archive: PMTilesBytes, _ body: (PMTilesFile, Folder) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("a.pmtiles")
            try Data(archive.bytes).write(to: URL(fileURLWithPath: path))
            let scratch = try Folder(directory.path)
            try body(try PMTilesFile(OpenFile(path, O_RDONLY), called: path, scratch: scratch), scratch)
        }
    }

    @Test func aRunCountsWithAllOfItsTiles() async throws {
        var archive = PMTilesBytes(.init(id: 22_369_621, run: 49_999_999))
        archive.zoomLevels = (13, 13)
        try await withArchive(archive) { file, scratch in
            let cost = try file.cost()
            #expect(cost.tileCount == 49_999_999)
            #expect(cost.byteCount > 1_000_000_000)
            #expect(cost.isLong && cost.isOutOfProportion)
            #expect(try scratch.names().count == 1, "nothing is written")
        }
    }

    @Test func tilesOfAllDirectoriesCount() async throws {
        let leaf = PMTilesBytes.directory([.init(id: 5, run: 2), .init(id: 7, length: 3, offset: 10)])
        var archive = PMTilesBytes(.init(id: 0), .init(id: 1, run: 0, length: UInt64(leaf.count)))
        (archive.leaves, archive.zoomLevels) = (leaf, (0, 3))
        archive.tiles = [UInt8](repeating: 9, count: 13)
        try await withArchive(archive) { file, _ in
            let cost = try file.cost()
            #expect(cost.tileCount == 4)
            #expect(!cost.isLong && !cost.isOutOfProportion)
        }
    }

    @Test func tooManyTilesAreRefusedBeforeAnythingIsSorted() async throws {
        var archive = PMTilesBytes(.init(id: 22_369_621, run: 50_000_001))
        archive.zoomLevels = (13, 13)
        try await withArchive(archive) { file, _ in
            #expect(throws: RegionStoreError.self) { try file.cost() }
            #expect(throws: RegionStoreError.self) {
                try file.forEachTile(progress: { _, _ in Issue.record("sorted") }) { _ in }
            }
        }
    }

    /// Two rows can have any numbers, but no more lie between them than the file has bytes for.
    @Test func rowsAreBoundedByTheBytesOfTheFile() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("a.sqlitedb")
            let queue = try DatabaseQueue(path: path)
            try queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE tiles (x int, y int, z int, s int, image blob);
                        INSERT INTO tiles (rowid, x, y, z, image) VALUES (1, 5, 5, 3, x'89504E47'), (9000000000000000000, 6, 5, 3, x'01');
                        """
                )
            }
            try queue.close()
            let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            let limits = CheckLimits(seconds: 10, memory: 10 << 20)
            let database = try UntrustedDatabase(path, .immutable, within: limits)
            let cost = try DatabaseArchive.cost(of: database, scratch: Folder(directory.path))
            #expect(cost.tileCount == size / 8 + 1)
            #expect(cost.fileSize == UInt64(size))
        }
    }

    /// The two sides of what a person is told of.
    @Test func tenSecondsAreLong() {
        func cost(_ tiles: Int, _ bytes: UInt64, file: UInt64 = 1 << 40) -> ImportCost {
            ImportCost(tileCount: tiles, contentSize: bytes, fileSize: file)
        }
        #expect(!cost(0, 1_490_000_000).isLong && cost(0, 1_510_000_000).isLong)
        #expect(!cost(2_900_000, 0).isLong && cost(3_100_000, 0).isLong)
        #expect(!cost(0, 100_000_000, file: 1).isOutOfProportion && cost(0, 100_000_001, file: 1).isOutOfProportion)
        #expect(cost(0, 200_000_000, file: 19_999_999).isOutOfProportion)
        #expect(!cost(0, 200_000_000, file: 20_000_000).isOutOfProportion)
    }
}
