import GRDBSQLite

/// A row of a ``UntrustedDatabase``, good until the next one is read.
struct UntrustedRow {
    let statement: OpaquePointer

    func isInteger(_ column: CInt) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER
    }

    func integer(_ column: CInt) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    func number(_ column: CInt) -> Double {
        sqlite3_column_double(statement, column)
    }

    /// The value as text, cut at `limit` bytes, without zeros and with what is not Unicode replaced; nil for no
    /// value.
    func text(_ column: CInt, limit: Int = 100_000) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let count = min(limit, Int(sqlite3_column_bytes(statement, column)))
        // The store's own texts would end at a zero.
        return String(decoding: UnsafeBufferPointer(start: start, count: count).lazy.filter { $0 != 0 }, as: UTF8.self)
    }

    /// The first bytes of a value.
    func bytes(_ column: CInt, limit: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        let count = min(limit, Int(sqlite3_column_bytes(statement, column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
