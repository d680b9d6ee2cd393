import Foundation
import GRDB
import PeerTestSupport
import Testing

@testable import RegionStore

/// Files that are no map: each is refused with a sentence that names it and says what is wrong.
@Suite struct BadMapTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var expected: String
        var code = RegionStoreError.Code.invalidFile
        var make: @Sendable (_ path: String) throws -> Void
    }

    static let tile = MapFile.Tile(zoomLevel: 2, column: 1, row: 3, data: Data(MapFile.png))

    static let cases = [
        Case(testDescription: "missing", expected: "There is no file", code: .notFound) { _ in },
        Case(testDescription: "folder", expected: "is a folder") {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        },
        Case(testDescription: "no bytes", expected: "is empty") { try Data().write(to: URL(fileURLWithPath: $0)) },
        Case(testDescription: "text", expected: "is not an SQLite database") {
            try Data("GPX and no map, but longer than a header has to be.".utf8).write(to: URL(fileURLWithPath: $0))
        },
        Case(testDescription: "random bytes, as of an encrypted file", expected: "is encrypted") {
            var generator = SeededGenerator(seed: 7)
            try Data(generator.bytes(40_000)).write(to: URL(fileURLWithPath: $0))
        },
        Case(testDescription: "truncated", expected: "is cut off") { path in
            try MapFile.small().write(to: path).close()
            try cut(path) { $0 / 2 }
        },
        Case(testDescription: "truncated in its header", expected: "is cut off after 60 bytes") { path in
            try MapFile.small().write(to: path).close()
            try cut(path) { _ in 60 }
        },
        Case(testDescription: "damaged inside", expected: "is damaged") { path in
            try MapFile.small().write(to: path).close()
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            for page in 2..<6 {
                try file.seek(toOffset: UInt64(page * 4096))
                try file.write(contentsOf: Data(repeating: 0xEE, count: 3000))
            }
            try file.close()
        },
        Case(testDescription: "no tables", expected: "it has no table or view “tiles”") { path in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (x)") }
        },
        Case(testDescription: "columns missing", expected: "its “tiles” lack one of the columns") { path in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE tiles (zoom_level, x, y)") }
        },
        Case(testDescription: "no tiles", expected: "it has no tiles") { try MapFile(tiles: []).write(to: $0) },
        Case(testDescription: "tiles without data only", expected: "none of its tiles has data") { path in
            try MapFile(tiles: [.init(zoomLevel: 2, column: 1, row: 3, data: Data())]).write(to: path)
        },
        Case(testDescription: "tiles outside only", expected: "no zoom level has, such as zoom 2, column 4, row 0") {
            path in
            try MapFile(tiles: [.init(zoomLevel: 2, column: 4, row: 0, data: Data([1]))]).write(to: path)
        },
        Case(testDescription: "text without types", expected: "stores the positions of its tiles as text") { path in
            try DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
                        INSERT INTO tiles VALUES ('2', '1', '3', x'89504E470D0A1A0A');
                        """
                )
            }
        },
        Case(testDescription: "map for OsmAnd, elliptical", expected: "in an elliptical projection") { path in
            try DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE tiles (x int, y int, z int, s int, image blob, PRIMARY KEY (x, y, z, s));
                        CREATE TABLE info (maxzoom int, ellipsoid int);
                        INSERT INTO info VALUES (9, 1);
                        INSERT INTO tiles VALUES (133, 90, 9, 0, x'89504E470D0A1A0A');
                        """
                )
            }
        },
        Case(testDescription: "GeoPackage of shapes", expected: "is a GeoPackage without a map of tiles") { path in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE gpkg_contents (table_name TEXT)") }
        },
        Case(testDescription: "trigger", expected: "“t” is a trigger") { path in
            let sql = "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM tiles; END"
            try MapFile(tiles: [tile], additions: [sql]).write(to: path)
        },
        Case(testDescription: "virtual table", expected: "“words” is a virtual table") { path in
            try MapFile(tiles: [tile], additions: ["CREATE VIRTUAL TABLE words USING fts5(x)"]).write(to: path)
        },
        Case(testDescription: "view that computes without end", expected: "views do more than read tables") { path in
            let sql = """
                CREATE VIEW tiles AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
                SELECT 1 AS zoom_level, x AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
                """
            try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        },
        Case(testDescription: "view of a table that a module computes", expected: "no such table: main.json_each") {
            path in
            try MapFile(tiles: []).write(to: path)
            try DatabaseQueue(path: path).write { database in
                try database.execute(
                    sql: """
                        DROP TABLE tiles;
                        CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, value AS tile_data
                        FROM json_each('[1]');
                        """
                )
            }
        },
        Case(testDescription: "view that calls a function", expected: "cannot be read as a database") { path in
            let sql = """
                CREATE VIEW tiles AS SELECT 1 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
                load_extension('x') AS tile_data
                """
            try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        },
        Case(testDescription: "view of random numbers", expected: "not authorized to use function: random") { path in
            let sql = """
                CREATE VIEW tiles AS SELECT 1 AS zoom_level, random() AS tile_column, 0 AS tile_row,
                x'00' AS tile_data
                """
            try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
        },
    ]

    @Test(arguments: cases)
    func isRefused(bad: Case) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.path("bad.mbtiles")
            try bad.make(path)
            let store = try RegionStore(path: directory.path("store"))

            let error = try #require(throws: RegionStoreError.self) { try store.importMap(at: path) }

            #expect(error.code == bad.code)
            #expect(error.message.contains(bad.expected), "\(error.message)")
            #expect(error.message.contains("bad.mbtiles"), "\(error.message)")
            #expect(try store.regions().isEmpty)
            #expect(try StoreState.files(in: store, "regions").isEmpty)
            #expect(try StoreState.files(in: store, "work").isEmpty)
        }
    }

    static func cut(_ path: String, _ length: (Int) -> Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.prefix(length(data.count)).write(to: URL(fileURLWithPath: path))
    }
}
