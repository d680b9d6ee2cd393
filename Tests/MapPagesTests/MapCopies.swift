import Foundation
import GRDB

/// Maps made of that of the example region.
enum MapCopies {
    /// Makes a map with vector tiles.
    static func makeVector(_ path: String) throws {
        try change(path) { database in
            try database.execute(
                sql: "UPDATE tiles SET tile_data = x'1F8B08'; UPDATE metadata SET value = 'pbf' WHERE name = 'format'"
            )
        }
    }

    /// Makes a map with tiles in a format that the program does not know.
    static func makeOther(_ path: String) throws {
        try change(path) { database in
            try database.execute(
                sql:
                    "UPDATE tiles SET tile_data = x'49492A00'; UPDATE metadata SET value = 'tiff' WHERE name = 'format'"
            )
        }
    }

    /// Makes a map of one tile at so many places that the disk has no space for as many tiles.
    static func makeSea(_ path: String) throws {
        let size = 7 << 20
        var status = statvfs()
        guard statvfs((path as NSString).deletingLastPathComponent, &status) == 0 else { throw POSIXError(.EIO) }
        let available = Int(status.f_frsize) * Int(status.f_bavail)
        let places = available / size + 1000
        try change(path) { database in
            try database.execute(
                sql: """
                    CREATE TABLE image (data BLOB);
                    INSERT INTO image SELECT substr(CAST(tile_data || zeroblob(\(size)) AS BLOB), 1, \(size)) FROM tiles LIMIT 1;
                    DROP TABLE tiles;
                    CREATE TABLE place (zoom INTEGER, "column" INTEGER, "row" INTEGER, PRIMARY KEY (zoom, "column", "row"));
                    WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(places))
                    INSERT INTO place SELECT 15, 16500 + n % 512, 20600 + n / 512 FROM number;
                    CREATE VIEW tiles AS SELECT zoom AS zoom_level, "column" AS tile_column, "row" AS tile_row, data AS tile_data
                    FROM place, image;
                    DELETE FROM metadata WHERE name = 'bounds';
                    """
            )
        }
    }

    private static func change(_ path: String, _ change: (Database) throws -> Void) throws {
        try FileManager.default.copyItem(atPath: ExampleSite.example("coma-pedrosa.mbtiles"), toPath: path)
        let queue = try DatabaseQueue(path: path)
        try queue.write(change)
        try queue.close()
    }
}
