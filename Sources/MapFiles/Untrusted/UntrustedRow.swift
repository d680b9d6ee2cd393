import GRDBSQLite
import PeerProtocol

/// A row of an ``UntrustedDatabase``, valid until the next row is read.
package struct UntrustedRow {
    let statement: OpaquePointer

    /// The value if it is a whole number, also one that is stored as text or with a decimal point.
    package func wholeNumber(_ column: CInt) -> Int? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: integer(column)
        case SQLITE_FLOAT: Int(exactly: number(column))
        case SQLITE_TEXT: text(column, limit: 20).flatMap { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }
        default: nil
        }
    }

    func isText(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_TEXT }

    package func integer(_ column: CInt) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func number(_ column: CInt) -> Double { sqlite3_column_double(statement, column) }

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

    /// The value if it is a number; nil for no value, which is how SQLite reads NaN, and for text and bytes.
    package func real(_ column: CInt) -> Double? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER, SQLITE_FLOAT: number(column)
        default: nil
        }
    }

    /// Whether there is no value.
    package func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Calls `body` with all bytes of a value.
    package func withBytes<Result>(_ column: CInt, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        let start = sqlite3_column_blob(statement, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// The digest of a value.
    func digest(_ column: CInt) -> PieceDigest {
        let start = sqlite3_column_blob(statement, column)
        return PieceDigest(
            hashing: UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        )
    }
}
