import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import MapFiles
@testable import RegionStore

/// Maps with oddities that other programs write: they are imported, shown and received, and the person is told.
@Suite struct OddMapTests {
    private static func odd(_ sql: String...) -> MapFile {
        var map = MapFile.small()
        map.additions = sql
        return map
    }

    /// Imports a map, and checks that it reaches another store with the same number of tiles.
    private func imported(_ map: MapFile, in directory: TemporaryDirectory) throws -> (RegionStore, StoredRegion) {
        let path = directory.path("odd.mbtiles")
        try map.write(to: path).close()
        return try imported(path, in: directory)
    }

    private func imported(_ path: String, in directory: TemporaryDirectory) throws -> (RegionStore, StoredRegion) {
        let store = try RegionStore(path: directory.path("store"))
        let stored = try store.importMap(at: path)
        let receiver = try RegionStore(path: directory.path("receiver"))
        try Transfers.run(try store.source(for: stored.region.id), to: receiver.sink())
        #expect(try receiver.region(stored.region.id).tileCount == stored.region.tileCount)
        #expect(try receiver.region(stored.region.id).mapDigest == stored.region.mapDigest)
        return (store, stored)
    }

    @Test(
        arguments: [
            ("INSERT INTO tiles VALUES (12, 2176, -48, x'')", "zoom 12, column 2176, row -48"),
            ("INSERT INTO tiles VALUES (12, 4096, 0, x'89504E47')", "zoom 12, column 4096, row 0"),
            ("INSERT INTO tiles VALUES (31, 0, 0, x'89504E47')", "zoom 31, column 0, row 0"),
            (
                "INSERT INTO tiles VALUES (9223372036854775807, 0, 0, x'00')",
                "zoom 9223372036854775807, column 0, row 0"
            ),
            ("INSERT INTO tiles VALUES (-1, 0, 0, x'89504E47')", "zoom -1, column 0, row 0"),
            ("INSERT INTO tiles VALUES (12, 'x', 1.5, x'89504E47')", "zoom 12, column x, row 1.5"),
            ("INSERT INTO tiles VALUES (12, NULL, 1, x'89504E47')", "zoom 12, column NULL, row 1"),
        ]
    )
    func rowsThatAreNoTilesAreLeftOut(sql: String, example: String) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, stored) = try imported(Self.odd(sql), in: directory)
            #expect(stored.oddities.strays.count == 1)
            #expect(stored.oddities.strays.example == example)
            #expect(stored.region.tileCount == 21 && stored.region.zoomLevels == 10...12)
            let map = try #require(try StoredRegionContent(stored.region.id, in: store).openTiles())
            #expect(try map.amounts().zooms == [10, 11, 12])
            var count = 0
            try map.forEachTile { _ in count += 1 }
            #expect(count == 21)
        }
    }

    @Test func tilesWithoutDataAreToldAndNotFound() async throws {
        try await TemporaryDirectory.with { directory in
            let sql =
                "UPDATE tiles SET tile_data = NULL WHERE zoom_level = 12 AND tile_column = 2176 AND tile_row = 2656"
            let (store, stored) = try imported(Self.odd(sql), in: directory)
            #expect(stored.oddities.emptyTileCount == 1 && !stored.oddities.hasTurnedRows)
            let empty = try #require(TileAddress(zoomLevel: 12, column: 2176, southernRow: 2656))
            #expect(try store.tile(empty, of: stored.region.id) == nil)
            let other = try #require(TileAddress(zoomLevel: 12, column: 2177, southernRow: 2656))
            #expect(try store.tile(other, of: stored.region.id)?.format == .png)
        }
    }

    /// Programs of earlier versions count every row, and refuse a map with more of them than tiles are announced.
    @Test(arguments: [
        "INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 12",
        "INSERT INTO tiles SELECT zoom_level, tile_column, tile_row, x'00' FROM tiles",
        "INSERT INTO tiles VALUES (12, 1, 1, NULL), (12, 1, 1, 'text'), (12, 1, 2, x'')",
    ])
    func rowsThatAreNoTilesAreNotSent(sql: String) async throws {
        try await TemporaryDirectory.with { directory in
            let odd = Self.odd("DROP INDEX tile_index", sql, "INSERT INTO tiles VALUES (12, 'x', 1, x'00')")
            let (store, stored) = try imported(odd, in: directory)
            #expect(stored.oddities.strays.count == 1 && !stored.oddities.hasTurnedRows)
            let map = try store.map(of: stored.region.id)
            #expect(try map.first("SELECT count(*) FROM tiles") { $0.integer(0) } == 21)
            #expect(try MapDescription(checking: map).rowCoverage == nil)
            let address = try #require(TileAddress(zoomLevel: 12, column: 2176, southernRow: 2656))
            #expect(try store.tile(address, of: stored.region.id)?.format == .png)
            // The same file again is the same map.
            #expect(try !store.importMap(at: directory.path("odd.mbtiles")).isNew)
        }
    }

    @Test func positionsThatAreTextAreFound() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("odd.mbtiles")
            let queue = try MapFile.small().write(to: path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE texts (zoom_level TEXT, tile_column TEXT, tile_row TEXT, tile_data BLOB);
                        INSERT INTO texts SELECT * FROM tiles;
                        DELETE FROM texts WHERE zoom_level = 10;
                        INSERT INTO texts SELECT '9', '272', '332', tile_data FROM tiles LIMIT 1;
                        DROP TABLE tiles;
                        ALTER TABLE texts RENAME TO tiles;
                        """
                )
            }
            try queue.close()
            let (store, stored) = try imported(path, in: directory)
            // As texts, 9 is after 12.
            #expect(stored.region.zoomLevels == 9...12 && stored.region.tileCount == 21)
            #expect(stored.oddities == MapOddities())
            let address = try #require(TileAddress(zoomLevel: 9, column: 272, southernRow: 332))
            #expect(try store.tile(address, of: stored.region.id)?.format == .png)
            var zoomLevels: Set<Int> = []
            try StoredRegionContent(stored.region.id, in: store).openTiles()?.forEachTile(ofZooms: 0...12) {
                zoomLevels.insert($0.address.zoomLevel)
            }
            #expect(zoomLevels == [9, 11, 12])
        }
    }

    @Test func boundsOfAnotherPlaceAreIgnoredAndTold() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("bounds")
            map.metadata.append(("bounds", "1.41,42.55,1.52,42.61"))
            let (_, stored) = try imported(map, in: directory)
            #expect(stored.oddities.hasMisplacedBounds)
            #expect(stored.region.boundingBox.south > 47)
        }
    }

    @Test(arguments: ["11.26,47.05,11.59,47.27", "0,0,0,0", "nonsense", "-180,-85,180,85"])
    func otherBoundsAreNotTold(bounds: String) async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("bounds")
            map.metadata.append(("bounds", bounds))
            let (_, stored) = try imported(map, in: directory)
            #expect(stored.oddities == MapOddities())
        }
    }

    @Test func metadataOfAnotherFormAreIgnored() async throws {
        try await TemporaryDirectory.with { directory in
            let sql = "DROP TABLE metadata; CREATE TABLE metadata (key TEXT, text TEXT)"
            let (_, stored) = try imported(Self.odd(sql), in: directory)
            #expect(stored.region.name == "odd")
        }
    }

    @Test(
        arguments: [
            ("<a href=\"https://a.example\">&copy; OSM</a> contributors", "© OSM contributors"),
            ("<p>One</p><p>Two<br/>Three</p>", "One Two Three"), ("A &amp; B &#169; &#xA9; &#39;", "A & B © © '"),
            ("&amp;lt;b&gt;", "&lt;b>"), ("a < b & c > d; &unknown; &#x110000;", "a < b & c > d; &unknown; &#x110000;"),
            ("© OpenStreetMap  contributors", "© OpenStreetMap  contributors"), ("<!-- no --> x", "x"), ("", ""),
            ("<a", "<a"),
        ]
    )
    func attributionsAreShownAsText(html: String, text: String) async throws {
        #expect(PlainText.text(ofHTML: html) == text)
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small().without("attribution")
            map.metadata.append(("attribution", html))
            let (_, stored) = try imported(map, in: directory)
            #expect(stored.region.attribution == text)
        }
    }
}
