import Foundation
import GRDB
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// SQLite files of tiles: maps for OsmAnd, and GeoPackages.
@Suite(.timeLimit(.minutes(10))) struct DatabaseArchiveTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sql: String
        /// The tiles that are read, with what follows the first byte of their data.
        var expected: [String] = []
        /// What was left out.
        var omitted: [String] = []
        /// A part of the message, if the file is refused.
        var refusal = ""

        init(
            _ description: String,
            _ sql: String,
            _ expected: [String] = [],
            omitted: [String] = [],
            refusal: String = ""
        ) {
            (testDescription, self.sql, self.expected) = (description, sql, expected)
            (self.omitted, self.refusal) = (omitted, refusal)
        }
    }

    private static let table = "CREATE TABLE tiles (x int, y int, z int, s int, image blob, PRIMARY KEY (x, y, z, s));"

    private static func osmAnd(_ rows: String, info: String = "") -> String {
        "\(table) \(info) INSERT INTO tiles VALUES \(rows);"
    }

    static let osmAnd = [
        Case("of RMaps, without info", osmAnd("(5, 2, 14, 0, 'a')"), ["3/5/2 a"]),
        Case(
            "of Locus Map, without numbering",
            osmAnd(
                "(5, 2, 14, 0, 'a')",
                info: "CREATE TABLE info (minzoom, maxzoom); INSERT INTO info VALUES (14, 14);"
            ),
            ["3/5/2 a"]
        ),
        Case(
            "of OsmAnd, as BigPlanet",
            osmAnd(
                "(5, 2, 14, 0, 'a'), (131072, 7, -1, 0, 'b')",
                info: "CREATE TABLE info (tilenumbering, title); INSERT INTO info VALUES ('bigplanet', 'Alps');"
            ),
            ["3/5/2 a", "18/131072/7 b", "name Alps"]
        ),
        Case(
            "of OsmAnd, simple",
            osmAnd(
                "(5, 2, 14, 0, 'a'), (5, 2, 3, 0, 'b'), (6, 1, 3, 0, 'c'), (6, 2, 3, 0, 'd')",
                info: """
                    CREATE TABLE info (tilenumbering, inverted_y, ellipsoid, url, title);
                    INSERT INTO info VALUES ('simple', 1, 0, 'https://example.org/{0}/{1}/{2}.png', '');
                    """
            ),
            ["3/5/2 b", "3/6/2 d", "3/6/1 c", "14/5/2 a"]
        ),
        Case(
            "with an empty numbering and numbers of BigPlanet",
            osmAnd(
                "(4000, 2, 5, 0, 'a'), (4001, 2, 5, 0, 'b'), (1, 1, 16, 0, 'c')",
                info: "CREATE TABLE info (tilenumbering); INSERT INTO info VALUES ('');"
            ),
            ["1/1/1 c", "12/4000/2 a", "12/4001/2 b"]
        ),
        Case(
            "without a numbering and with simple numbers",
            osmAnd("(4000, 2, 12, 0, 'a'), (2000, 1, 11, 0, 'b')"),
            ["11/2000/1 b", "12/4000/2 a"]
        ),
        Case(
            "with rows that cannot be used",
            osmAnd(
                """
                (5, 2, 14, 0, 'a'), (5, 2, 14, 1, 'older'), (9, 2, 14, 0, 'outside'), (1, 1, 16, 0, ''), (0, 0, 16, 0, NULL),
                (0, 0, 18, 0, 'zoom -1'), (0, 0, 9223372036854775807, 0, 'x'), (0, 0, -9223372036854775808, 0, 'x'),
                ('a', 0, 16, 0, 'x'), (NULL, 1, 16, 0, 'x'), (1, 0, 16, 0, 'b'), (0, 1, 16, 0, zeroblob(8388608))
                """
            ),
            ["1/1/0 b", "3/5/2 a"],
            omitted: ["10", "a row says zoom 14, column 9, row 2, which is no tile"]
        ),
        Case(
            "with an elliptical projection",
            osmAnd("(5, 2, 14, 0, 'a')", info: "CREATE TABLE info (ellipsoid); INSERT INTO info VALUES (1);"),
            refusal: "has tiles in an elliptical projection"
        ),
        Case(
            "with a view",
            "CREATE TABLE t (x, y, z, image); CREATE VIEW tiles AS SELECT * FROM t;",
            refusal: "with a view “tiles”"
        ),
        Case(
            "without row numbers",
            "CREATE TABLE tiles (x, y, z, image, PRIMARY KEY (x, y, z)) WITHOUT ROWID;",
            refusal: "a table without row numbers"
        ),
        Case(
            "with a trigger",
            table + "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM tiles; END;",
            refusal: "“t” is a trigger"
        ),
    ]

    /// A GeoPackage whose one zoom level is a part of zoom level 3 of web maps: 2 columns from 4 on, and 2 rows from 1 on.
    private static func geoPackage(
        system: String = "'EPSG', 3857",
        table: String = "map",
        set: String = "0, 0, 10018754.171394622, 15028131.257091933",
        matrix: String = "7, 2, 2, 256, 256, 19567.87924100512, 19567.87924100512",
        rows: String = "(1, 7, 0, 0, 'a'), (2, 7, 1, 1, 'b')",
        more: String = ""
    ) -> String {
        """
        CREATE TABLE gpkg_spatial_ref_sys (srs_name, srs_id INTEGER PRIMARY KEY, organization, organization_coordsys_id, definition);
        INSERT INTO gpkg_spatial_ref_sys VALUES ('', 99, \(system), '');
        CREATE TABLE gpkg_contents (table_name, data_type, identifier, description, last_change, srs_id);
        INSERT INTO gpkg_contents VALUES ('huts', 'features', 'Huts', '', '', 99);
        INSERT INTO gpkg_contents VALUES ('\(table)', 'tiles', 'Alps', 'A map', '2026-05-04T03:02:01.000Z', 99);
        CREATE TABLE gpkg_tile_matrix_set (table_name, srs_id, min_x, min_y, max_x, max_y);
        INSERT INTO gpkg_tile_matrix_set VALUES ('\(table)', 99, \(set));
        CREATE TABLE gpkg_tile_matrix (table_name, zoom_level, matrix_width, matrix_height, tile_width, tile_height, pixel_x_size,
            pixel_y_size);
        INSERT INTO gpkg_tile_matrix VALUES ('\(table)', \(matrix));
        CREATE TABLE "\(table)" (id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level, tile_column, tile_row, tile_data);
        INSERT INTO "\(table)" VALUES \(rows);
        \(more)
        """
    }

    private static let metadata = ["description A map", "modified 2026-05-04T03:02:01.000Z", "name Alps"]

    static let geoPackages = [
        Case("a part of the grid", geoPackage(), ["3/4/1 a", "3/5/2 b"] + metadata),
        Case("an old number of Web Mercator", geoPackage(system: "'epsg', 900913"), ["3/4/1 a", "3/5/2 b"] + metadata),
        Case(
            "a table with a quotation mark",
            geoPackage(table: "a\"\"b").replacingOccurrences(of: "'a\"\"b'", with: "'a\"b'"),
            ["3/4/1 a", "3/5/2 b"] + metadata
        ),
        Case(
            "tiles of 512 pixels",
            geoPackage(matrix: "7, 2, 2, 512, 512, 9783.93962050256, 9783.93962050256"),
            ["3/4/1 a", "3/5/2 b"] + metadata
        ),
        Case(
            "triggers and virtual tables, which are not used",
            geoPackage(
                more: """
                    CREATE TRIGGER t AFTER INSERT ON map BEGIN DELETE FROM map; END;
                    CREATE VIRTUAL TABLE words USING fts5(x);
                    """
            ),
            ["3/4/1 a", "3/5/2 b"] + metadata
        ),
        Case(
            "tiles outside, and of a zoom level without a grid",
            geoPackage(
                rows: "(1, 7, 0, 0, 'a'), (2, 7, 4, 0, 'b'), (3, 6, 0, 0, 'c'), (4, 7, 9223372036854775807, 0, 'd')"
            ),
            ["3/4/1 a"] + metadata,
            omitted: ["3", "a row says zoom 7, column 4, row 0, which is no tile"]
        ),
        Case("in degrees", geoPackage(system: "'EPSG', 4326"), refusal: "are not those of web maps"),
        Case("a number of Esri", geoPackage(system: "'ESRI', 102100"), ["3/4/1 a", "3/5/2 b"] + metadata),
        Case("an older number of Esri", geoPackage(system: "'Esri', 102113"), ["3/4/1 a", "3/5/2 b"] + metadata),
        Case("of OSGeo", geoPackage(system: "'OSGEO', 900913"), ["3/4/1 a", "3/5/2 b"] + metadata),
        Case("of another organisation", geoPackage(system: "'Mars', 3395"), refusal: "are not those of web maps"),
        Case(
            "without rows for its grid",
            geoPackage(more: "DELETE FROM gpkg_tile_matrix;"),
            refusal: "does not say where its tiles are: “gpkg_tile_matrix” has no rows for the table “map”"
        ),
        Case(
            "with a shifted grid",
            geoPackage(set: "100000, 0, 9e6, 15028131.257091933"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "with another scale",
            geoPackage(matrix: "7, 2, 2, 256, 256, 20000, 20000"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "with tiles that are no squares",
            geoPackage(matrix: "7, 2, 2, 256, 128, 19567.87924100512, 19567.87924100512"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "with infinite pixels",
            geoPackage(matrix: "7, 2, 2, 256, 256, 9e999, 9e999"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "with no pixels",
            geoPackage(matrix: "7, 2, 2, 0, 0, 0, 0"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "at the end of numbers",
            geoPackage(set: "1e300, 0, 1e300, -1e300"),
            refusal: "in Web Mercator whose tiles have other sizes or edges"
        ),
        Case(
            "without a grid",
            geoPackage(more: "DELETE FROM gpkg_tile_matrix_set;"),
            refusal: "are not those of web maps"
        ),
        Case("without its table", geoPackage(more: "DROP TABLE map;"), refusal: "lacks the table “map”"),
        Case(
            "with a view as its table",
            geoPackage(more: "ALTER TABLE map RENAME TO m; CREATE VIEW map AS SELECT * FROM m;"),
            refusal: "lacks the table “map”"
        ),
        Case(
            "without tiles",
            geoPackage(more: "DELETE FROM gpkg_contents WHERE data_type = 'tiles';"),
            refusal: "without a map of tiles"
        ),
        Case(
            "with two maps",
            geoPackage(more: "INSERT INTO gpkg_contents VALUES ('winter', 'tiles', 'Winter', '', '', 99);"),
            refusal: "with 2 maps: “map”, “winter”"
        ),
    ]

    @Test(arguments: osmAnd + geoPackages) func isReadOrRefused(row: Case) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.db")
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: row.sql) }
            try queue.close()
            let database = try UntrustedDatabase(path, .immutable, called: "map.db", within: .thorough(size: 1 << 20))
            do {
                let archive = try #require(try DatabaseArchive.open(database, scratch: Folder(directory.path)))
                var found: [String] = []
                let omitted = try archive.forEachTile(progress: { _, _ in }) { tile in
                    found.append("\(tile.address.name) \(String(decoding: tile.data.prefix(10), as: UTF8.self))")
                }
                found += archive.metadata.map { "\($0.key) \($0.value)" }.sorted()
                #expect(found == row.expected)
                #expect(
                    [omitted.count == 0 ? nil : "\(omitted.count)", omitted.example].compactMap { $0 } == row.omitted
                )
                #expect(row.refusal.isEmpty)
            } catch let error as RegionStoreError {
                #expect(!row.refusal.isEmpty && error.message.contains(row.refusal), "\(error)")
                #expect(error.code == .invalidFile && error.message.contains("map.db"))
            }
        }
    }

    @Test func anMBTilesFileIsNoArchive() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.db")
            let queue = try DatabaseQueue(path: path)
            try await queue.write {
                try $0.execute(sql: "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data, x, y, z, image)")
            }
            try queue.close()
            let database = try UntrustedDatabase(path, .immutable, within: .thorough(size: 1 << 20))
            #expect(try DatabaseArchive.open(database, scratch: Folder(directory.path)) == nil)
        }
    }

    /// A few bytes of a row could become megabytes of a tile.
    @Test func tilesThatAreComputedAreRefused() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("map.db")
            let queue = try DatabaseQueue(path: path)
            try await queue.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE tiles (x int, y int, z int, s int, seed blob, image AS (x || hex(seed) || hex(seed)));
                        INSERT INTO tiles (x, y, z, seed) VALUES (5, 5, 3, x'89504E47');
                        """
                )
            }
            try queue.close()
            let database = try UntrustedDatabase(path, .immutable, within: .thorough(size: 1 << 20))
            let archive = try #require(try DatabaseArchive.open(database, scratch: Folder(directory.path)))
            let error = #expect(throws: RegionStoreError.self) {
                try archive.forEachTile(progress: { _, _ in }) { _ in }
            }
            #expect(error?.message.contains("computes its tiles") == true && error?.code == .invalidFile)
        }
    }
}
