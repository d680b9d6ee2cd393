import Foundation
import GRDB
import PeerTestSupport

/// An MBTiles file to be made for a test.
struct MapFile {
    struct Tile {
        var zoomLevel: Int
        var column: Int
        var row: Int
        var data: Data?
    }

    enum Layout {
        /// Tables `tiles` and `metadata`, as in the specification's example.
        case tables
        /// `tiles` is a view over `map` and `images`, as many programs write it.
        case views
    }

    var tiles: [Tile]
    var metadata: [(String, String)] = []
    var layout = Layout.tables

    /// More SQL to run at the end.
    var additions: [String] = []

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A map of Innsbruck's surroundings: 1 tile at zoom 10, 4 at zoom 11, 16 at zoom 12.
    static func small(seed: UInt64 = 1, tileLength: Int = 900, start: [UInt8] = png) -> MapFile {
        var generator = SeededGenerator(seed: seed)
        var tiles: [Tile] = []
        for zoomLevel in 10...12 {
            let scale = 1 << (zoomLevel - 10)
            for column in 544 * scale..<545 * scale {
                for row in 664 * scale..<665 * scale {
                    let data = Data(start + generator.bytes(tileLength))
                    tiles.append(Tile(zoomLevel: zoomLevel, column: column, row: row, data: data))
                }
            }
        }
        return MapFile(
            tiles: tiles,
            metadata: [
                ("name", "Nordkette"), ("format", "png"), ("minzoom", "10"), ("maxzoom", "12"),
                ("bounds", "11.26,47.05,11.59,47.27"), ("attribution", "© OpenStreetMap contributors"),
            ]
        )
    }

    func without(_ keys: String...) -> MapFile {
        var copy = self
        copy.metadata.removeAll { keys.contains($0.0) }
        return copy
    }

    /// Returns the map with a date in its metadata.
    func of(_ date: String) -> MapFile {
        var copy = without("date")
        copy.metadata.append(("date", date))
        return copy
    }

    @discardableResult
    func write(to path: String, isWAL: Bool = false) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path)
        if isWAL { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") } }
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE metadata (name TEXT, value TEXT)")
            for (name, value) in metadata {
                try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
            switch layout {
            case .tables: try writeTable(database)
            case .views: try writeViews(database)
            }
            for sql in additions { try database.execute(sql: sql) }
        }
        return queue
    }

    private func writeTable(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
                """
        )
        for tile in tiles {
            try database.execute(
                sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                arguments: [tile.zoomLevel, tile.column, tile.row, tile.data]
            )
        }
    }

    private func writeViews(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                CREATE TABLE images (tile_data BLOB, tile_id TEXT PRIMARY KEY);
                CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
                CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
                    map.tile_row AS tile_row, images.tile_data AS tile_data
                    FROM map JOIN images ON images.tile_id = map.tile_id;
                """
        )
        for (index, tile) in tiles.enumerated() {
            try database.execute(
                sql: "INSERT INTO map VALUES (?, ?, ?, ?)",
                arguments: [tile.zoomLevel, tile.column, tile.row, "\(index)"]
            )
            try database.execute(sql: "INSERT INTO images VALUES (?, ?)", arguments: [tile.data, "\(index)"])
        }
    }
}
