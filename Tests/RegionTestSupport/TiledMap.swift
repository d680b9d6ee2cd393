import FoundationEssentials
import GRDB
import GRDBSQLite

/// A map of given tiles, written in one of the forms that maps have.
public struct TiledMap: Sendable {
    /// How the tiles are stored.
    public enum Form: CaseIterable, Sendable {
        /// A table with row numbers.
        case rows
        /// A table without them.
        case withoutRowID
        /// Tiles that are the same are stored once; `tiles` is a view.
        case shared
    }

    /// A tile.
    public struct Tile: Hashable, Sendable {
        /// The zoom level.
        public var zoom: Int
        /// The column.
        public var column: Int
        /// The row, from the south.
        public var row: Int
        /// The content.
        public var bytes: [UInt8]

        /// Creates a tile.
        public init(zoom: Int, column: Int, row: Int, bytes: [UInt8]) {
            (self.zoom, self.column, self.row, self.bytes) = (zoom, column, row, bytes)
        }
    }

    /// How the tiles are stored.
    public var form = Form.rows
    /// The length of a page, in bytes.
    public var pageSize = 4096
    /// The number of bytes at the end of each page that SQLite does not use.
    public var reservedByteCount: CInt = 0
    /// Whether the file has pages that say where pages are used.
    public var isAutoVacuum = false
    /// The tiles, in the order in which they are inserted.
    public var tiles: [Tile]

    /// Creates a map with a table with row numbers.
    public init(_ tiles: [Tile]) {
        self.tiles = tiles
    }

    /// Writes a new file.
    public func write(to path: String) throws {
        var configuration = Configuration()
        let (pageSize, reserved, isAutoVacuum) = (pageSize, reservedByteCount, isAutoVacuum)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(isAutoVacuum ? 1 : 0)")
            var count = reserved
            // SQLITE_FCNTL_RESERVE_BYTES
            sqlite3_file_control(database.sqliteConnection, nil, 38, &count)
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE metadata (name TEXT, value TEXT)")
            for (name, value) in [("name", "Tiles"), ("format", "png")] {
                try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
            try database.execute(sql: schema)
            for tile in tiles { try insert(tile, database) }
        }
        try queue.close()
    }

    private var schema: String {
        let columns = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
        return switch form {
        case .rows:
            """
            CREATE TABLE tiles (\(columns), tile_data BLOB);
            CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)
            """
        case .withoutRowID:
            "CREATE TABLE tiles (tile_data BLOB, \(columns), PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID"
        case .shared:
            """
            CREATE TABLE map (\(columns), tile_id TEXT);
            CREATE TABLE images (tile_data BLOB, tile_id TEXT);
            CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
            CREATE UNIQUE INDEX images_id ON images (tile_id);
            CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
            FROM map JOIN images ON images.tile_id = map.tile_id
            """
        }
    }

    private func insert(_ tile: Tile, _ database: Database) throws {
        let place: StatementArguments = [tile.zoom, tile.column, tile.row]
        switch form {
        case .rows, .withoutRowID:
            try database.execute(
                sql: "INSERT INTO tiles (zoom_level, tile_column, tile_row, tile_data) VALUES (?, ?, ?, ?)",
                arguments: place + [Data(tile.bytes)]
            )
        case .shared:
            // FNV-1a: the same in every run.
            let id = "\(tile.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })"
            try database.execute(sql: "INSERT INTO map VALUES (?, ?, ?, ?)", arguments: place + [id])
            try database.execute(sql: "INSERT OR IGNORE INTO images VALUES (?, ?)", arguments: [Data(tile.bytes), id])
        }
    }
}
