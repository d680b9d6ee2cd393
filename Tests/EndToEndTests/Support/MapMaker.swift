import Foundation
import GRDB
import PeerTestSupport

/// Makes MBTiles files for tests: an area in the Alps at zoom 12.
enum MapMaker {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Makes a map of random tiles: at most 64, each so long, those of another `seed` different ones.
    ///
    /// `more` is SQL to run at the end.
    static func make(
        _ path: String,
        name: String = "Nordkette",
        tiles: Int = 16,
        tileLength: Int = 900,
        seed: UInt64 = 1,
        more: String? = nil
    ) throws {
        try database(path) { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
                    INSERT INTO metadata VALUES ('name', ?), ('format', 'png'), ('minzoom', '12'), ('maxzoom', '12');
                    """,
                arguments: [name]
            )
            var generator = SeededGenerator(seed: seed)
            for index in 0..<tiles {
                // One random piece many times over is enough to tell tiles apart, and quickly made.
                let piece = Data(generator.bytes(1000))
                var data = Data(png)
                while data.count < tileLength { data.append(piece) }
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (12, ?, ?, ?)",
                    arguments: [2176 + index % 8, 2656 + index / 8, data.prefix(tileLength)]
                )
            }
            if let more { try database.execute(sql: more) }
        }
    }

    /// Makes a map of 65 MB of random bytes.
    static func makeLarge(_ path: String, name: String = "Great Traverse") throws {
        try make(path, name: name, tiles: 1)
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            for index in 1..<64 {
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (12, ?, ?, randomblob(1015625))",
                    arguments: [2176 + index % 8, 2656 + index / 8]
                )
            }
        }
        try queue.close()
    }

    /// Makes a database.
    static func database(_ path: String, _ write: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write(write)
        try queue.close()
    }
}
