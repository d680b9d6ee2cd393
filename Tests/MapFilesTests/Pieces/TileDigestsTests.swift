import Foundation
import GRDB
import PeerProtocol
import PeerStorage
import PeerTestSupport
import RegionModel
import RegionTestSupport
import Testing

@testable import MapFiles

/// Tiles are counted by their places, whatever rows a file has for them.
@Suite struct TileDigestsTests {
    private static func open(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 600, memory: 64 << 20))
    }

    /// Writes a map of 40 tiles, 10 of which are the same, and then changes the file.
    private static func write(_ form: TiledMap.Form, to path: String, _ sql: String...) throws {
        var map = TiledMap(TileIndexTests.tiles(40, upTo: 300))
        for index in 0..<10 { map.tiles[index].bytes = [1, 2, 3] }
        map.form = form
        try map.write(to: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            for sql in sql { try database.execute(sql: sql) }
        }
        try queue.close()
    }

    private static func places(_ path: String) throws -> TileDigests { try #require(try TileDigests(of: open(path))) }

    @Test(arguments: TiledMap.Form.allCases) func tilesThatAreTheSameCountAtEachPlace(form: TiledMap.Form) async throws
    {
        try await TemporaryDirectory.with { directory in
            let (old, new) = (directory.path("old"), directory.path("new"))
            try Self.write(.shared, to: old)
            try Self.write(form, to: new)
            #expect(try Self.places(new).difference(since: Self.places(old)).isNone)
            #expect(try Self.places(new).count == 40)
        }
    }

    /// All of ten equal tiles become a copy of another tile; a tile goes, and one comes.
    @Test func copiesOfOtherTilesAreChanges() async throws {
        try await TemporaryDirectory.with { directory in
            let (old, new) = (directory.path("old"), directory.path("new"))
            try Self.write(.shared, to: old)
            try Self.write(
                .shared,
                to: new,
                """
                UPDATE map SET tile_id = (SELECT tile_id FROM map WHERE tile_column = 1 AND tile_row = 5)
                WHERE tile_column = 0 AND tile_row < 10
                """,
                "DELETE FROM map WHERE tile_column = 1 AND tile_row = 9",
                "INSERT INTO map SELECT 11, 7, 7, tile_id FROM map LIMIT 1"
            )
            let difference = try Self.places(new).difference(since: Self.places(old))
            #expect(difference.changed.count == 10 && difference.changed.zooms == [10])
            #expect(difference.added.count == 1 && difference.added.zooms == [11])
            #expect(difference.gone.count == 1 && difference.gone.zooms == [10])
            #expect(difference.tileCount == 40 && difference.newCount == 11 && difference.news.isAll)
            let back = try Self.places(old).difference(since: Self.places(new))
            #expect((back.changed.count, back.added.count, back.gone.count) == (10, 1, 1))
        }
    }

    /// Rows of a place that has a tile already, and rows without data, are no tiles for anything that counts or writes.
    @Test func furtherRowsAndRowsWithoutDataAreNoTiles() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map")
            try Self.write(
                .rows,
                to: path,
                "DROP INDEX tile_index",
                "INSERT INTO tiles SELECT * FROM tiles WHERE tile_column = 0",
                "INSERT INTO tiles SELECT zoom_level, tile_column, tile_row, x'00' FROM tiles WHERE tile_column = 1",
                "INSERT INTO tiles VALUES (12, 1, 1, 'text'), (12, 1, 2, x''), (12, 1, 3, NULL)"
            )
            let database = try Self.open(path)
            #expect(try MapDescription.tally(of: database).coverage?.tileCount == 40)
            let map = try MapDescription(checking: database)
            #expect(map.tileCount == 40 && map.zoomLevels == 10...10 && map.rowCoverage?.levels.last?.zoomLevel == 12)
            #expect(try Self.places(path).count == 40)
            let part = try MapCut(
                CutRule(area: BoundingBox(north: 90, south: -90, east: 180, west: -180)),
                of: database
            )
            #expect(part.tileCount == 40 && part.wholeTileCount == 40)
            try part.write(to: try OpenFile(directory.path("cut"), O_RDWR | O_CREAT))
            let written = try MapDescription(checking: Self.open(directory.path("cut")))
            #expect(written.tileCount == 40 && !written.isPart)
            // The tile of a place is the one that is found there.
            #expect(try Self.places(directory.path("cut")).difference(since: Self.places(path)).isNone)
            #expect(throws: RegionStoreError.self) { try MapCut(CutRule(), of: database, atMost: 39) }
            #expect(try MapCut(CutRule(), of: database, atMost: 40).tileCount == 40)
            #expect(try TileDigests(of: database, atMost: 39) == nil)
        }
    }
}
