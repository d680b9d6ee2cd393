import Foundation
import GRDB
import PeerTestSupport

/// A map of some kilobytes whose schema wants half a gigabyte of whoever runs a statement of it.
enum HostileDatabase: String, CaseIterable, Sendable {
    case check
    case generatedColumn
    case expressionIndex
    case partialIndex
    case view
    case trigger

    /// Where the metadata say that the map is.
    enum Bounds: String, CaseIterable, Sendable {
        case right = "11.25,47.04,11.953,47.16"
        /// On the other hemisphere: an import turns the rows.
        case mirrored = "11.25,-47.16,11.953,-47.04"
    }

    /// What is computed for each row.
    private static let small = "length(hex(zeroblob(1+tile_row*0)))"
    private static let large = "length(hex(zeroblob(400000001+tile_row*0)))"

    /// Makes the map.
    ///
    /// While it is made, its expressions are cheap; then its schema is changed.
    func make(_ path: String, name: String, bounds: Bounds) throws {
        let small = Self.small
        try MapMaker.database(path) { database in
            let check = self == .check ? " CHECK(\(small) > 0)" : ""
            let generated = self == .generatedColumn ? ", weight AS (\(small))" : ""
            let table = self == .view ? "rows" : "tiles"
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name TEXT, value TEXT);
                    CREATE TABLE \(table) (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER\(check), tile_data BLOB\(generated));
                    CREATE INDEX place ON \(table) (zoom_level, tile_column, tile_row);
                    INSERT INTO metadata VALUES ('name', '\(name)'), ('format', 'png'), ('bounds', '\(bounds.rawValue)');
                    """
            )
            for index in 0..<16 {
                try database.execute(
                    sql: "INSERT INTO \(table) (zoom_level, tile_column, tile_row, tile_data) VALUES (12, ?, ?, ?)",
                    arguments: [2176 + index % 8, 2656 + index / 8, Data(MapMaker.png + Array("\(index)".utf8))]
                )
            }
            let more =
                switch self {
                case .check: ""
                case .generatedColumn: "CREATE INDEX heavy ON tiles (weight)"
                case .expressionIndex: "CREATE INDEX heavy ON tiles (\(small))"
                case .partialIndex: "CREATE INDEX heavy ON tiles (tile_column) WHERE \(small) > 0"
                case .view:
                    "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM rows WHERE \(small) > 0"
                case .trigger:
                    "CREATE TRIGGER heavy AFTER UPDATE ON tiles BEGIN SELECT \(small) FROM tiles; END"
                }
            if !more.isEmpty { try database.execute(sql: more) }
        }
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: "UPDATE sqlite_schema SET sql = replace(sql, ?, ?)",
                arguments: [small, Self.large]
            )
        }
        try queue.close()
    }
}

extension HostileDatabase {
    /// Copies a map with the file that SQLite keeps beside it while it is changed, as a program leaves them that is killed.
    static func stop(_ path: String, isWAL: Bool, copyingTo copy: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = \(isWAL ? "WAL" : "DELETE"); PRAGMA cache_size = 1")
            try database.execute(sql: "BEGIN; CREATE TABLE more (x BLOB)")
            for _ in 0..<20 { try database.execute(sql: "INSERT INTO more VALUES (randomblob(5000))") }
            if isWAL { try database.execute(sql: "COMMIT") }
            for suffix in ["", isWAL ? "-wal" : "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            if !isWAL { try database.execute(sql: "ROLLBACK") }
        }
        try queue.close()
    }
}
