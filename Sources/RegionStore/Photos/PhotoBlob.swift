import GRDB
import GRDBSQLite
import PeerProtocol

/// The bytes of a photo in the database, for reading and writing piece by piece.
final class PhotoBlob {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    /// Opens the bytes of a row.
    init(rowID: Int64, isWritable: Bool, _ database: Database) throws {
        guard let connection = database.sqliteConnection else { throw DatabaseError(resultCode: .SQLITE_MISUSE) }
        self.connection = connection
        var handle: OpaquePointer?
        let code = sqlite3_blob_open(connection, "main", "photo", "data", rowID, isWritable ? 1 : 0, &handle)
        guard code == SQLITE_OK, let handle else { throw Self.error(code, connection) }
        self.handle = handle
    }

    deinit { sqlite3_blob_close(handle) }

    /// The number of bytes.
    var count: Int { Int(sqlite3_blob_bytes(handle)) }

    /// Reads some bytes.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try check(sqlite3_blob_read(handle, &bytes, CInt(clamping: range.count), CInt(clamping: range.lowerBound)))
        return bytes
    }

    /// Overwrites bytes.
    func write(_ bytes: [UInt8], at position: Int) throws {
        try check(sqlite3_blob_write(handle, bytes, CInt(clamping: bytes.count), CInt(clamping: position)))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw Self.error(code, connection) }
    }

    private static func error(_ code: CInt, _ connection: OpaquePointer) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqlite3_errmsg(connection).map { String(cString: $0) }
        )
    }
}
