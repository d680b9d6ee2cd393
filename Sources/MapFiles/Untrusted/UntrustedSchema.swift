import GRDBSQLite
import PeerProtocol
import PeerStorage
import RegionModel

/// The schema of an untrusted SQLite file.
///
/// Only tables, indexes and views are accepted.
package struct UntrustedSchema {
    /// The tables and views, by name in lower case.
    private(set) var kinds: [String: String] = [:]

    /// Reads and checks the schema.
    ///
    /// - Parameters:
    ///   - database: The file.
    ///   - allowsUnused: Whether triggers and virtual tables are ignored. Only plain tables of such a file may be read.
    /// - Throws: `RegionStoreError` if the file is not a database, has triggers or virtual tables, or is too complex.
    init(of database: UntrustedDatabase, allowsUnused: Bool = false) throws {
        var count = 0
        try database.query("SELECT type, name, rootpage FROM sqlite_schema LIMIT 501") { row in
            count += 1
            let type = row.text(0, limit: 20) ?? ""
            let name = row.text(1, limit: 200) ?? ""
            guard count <= 500 else {
                throw Self.refusal(database, "it has more than 500 tables and indexes")
            }
            switch type {
            case "table", "view", "index":
                // Only entries without rows of their own, such as views, have no root page (SQLite's file format, section 2.6).
                if type == "table", row.integer(2) == 0 {
                    if allowsUnused { return true }
                    throw Self.refusal(database, "“\(name)” is a virtual table")
                }
                if type != "index" { kinds[name.lowercased()] = type }
            case "trigger" where allowsUnused:
                break
            case "trigger":
                throw Self.refusal(database, "“\(name)” is a trigger")
            default:
                throw Self.refusal(database, "“\(name)” is neither a table nor an index nor a view")
            }
            return true
        }
    }

    /// Returns whether there is a table or view with a name.
    func contains(_ name: String) -> Bool {
        kinds[name] != nil
    }

    private static func refusal(_ database: UntrustedDatabase, _ why: String) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "\(database.name) is not acceptable: \(why). A map or routing file may contain only plain tables and views."
        )
    }
}

/// A row of an ``UntrustedDatabase``, valid until the next row is read.
package struct UntrustedRow {
    let statement: OpaquePointer

    /// The value if it is a whole number, also one that is stored as text or with a decimal point.
    func wholeNumber(_ column: CInt) -> Int? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: integer(column)
        case SQLITE_FLOAT: Int(exactly: number(column))
        case SQLITE_TEXT: text(column, limit: 20).flatMap { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }
        default: nil
        }
    }

    func isText(_ column: CInt) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_TEXT
    }

    package func integer(_ column: CInt) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    func number(_ column: CInt) -> Double {
        sqlite3_column_double(statement, column)
    }

    /// The value as text, truncated to `limit` bytes, without zero characters, and with invalid UTF-8 replaced; nil for no
    /// value.
    package func text(_ column: CInt, limit: Int = 100_000) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let count = min(limit, Int(sqlite3_column_bytes(statement, column)))
        // In the store, a text would end at a zero character.
        return String(decoding: UnsafeBufferPointer(start: start, count: count).lazy.filter { $0 != 0 }, as: UTF8.self)
    }

    /// The first bytes of a value.
    package func bytes(_ column: CInt, limit: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        let count = min(limit, Int(sqlite3_column_bytes(statement, column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The digest of a value.
    func digest(_ column: CInt) -> PieceDigest {
        let start = sqlite3_column_blob(statement, column)
        return PieceDigest(
            hashing: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        )
    }
}
