import GRDBSQLite
import PeerStorage
import RegionModel

/// An untrusted SQLite file, opened read-only.
///
/// An authorizer allows only plain reading and harmless functions, also within views, and queries have limits on memory and
/// time. Only one thread may use the object at a time.
package final class UntrustedDatabase {
    /// The mode in which a file is opened.
    package enum Access: Sendable {
        /// A file of the store that no process changes: without locks, and files beside it are ignored.
        case immutable
        /// A file that another program may be using.
        case live
        /// A copy that belongs to this process, whose unfinished changes SQLite undoes or completes. Nothing else is written.
        case mending
    }

    /// What a file is opened for, as messages say it.
    package enum Purpose: String, Sendable {
        /// The check of a file that is not yet part of a store.
        case check
        /// The use of a file of a store.
        case read
    }

    /// The error of SQLite.
    package struct Failure: Error {
        package var code: CInt
        package var message: String

        package init(code: CInt, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// The name of the file in messages: its path, or a description if the path must not be shown.
    package let name: String
    let purpose: Purpose
    package let handle: OpaquePointer
    private let guardian: UntrustedDatabaseGuard

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - name: The name in messages; nil for the path.
    ///   - isCancelled: Returns whether queries must stop; called on any thread.
    package init(
        _ path: String,
        _ access: Access,
        called name: String? = nil,
        for purpose: Purpose = .check,
        within limits: CheckLimits,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let name = name ?? path
        if access != .immutable { try DatabasePath.check(path, of: name) }
        var opened: OpaquePointer?
        let mode = access == .mending ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
        let flags = mode | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(Self.uri(path, access == .immutable ? "immutable=1" : nil), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            // The content is not read before the first query, so the cause is on this machine.
            throw RegionStoreError(
                .storage,
                "\(name) cannot be opened: \(message). The disk or the permissions may be the cause.",
                remedy: "Check the disk and the permissions, close some programs, and try again.",
                cause: Failure(code: code, message: message)
            )
        }
        self.name = name
        self.purpose = purpose
        self.handle = opened
        self.guardian = UntrustedDatabaseGuard(opened, limits, isCancelled: isCancelled)
        // Virtual tables run code of a module; none is needed.
        sqlite3_drop_modules(opened, nil)
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5000)
        for (limit, value) in Self.limits { sqlite3_limit(opened, limit, value) }
        for setting in [
            "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "temp_store = MEMORY",
            // Beside its own mending, SQLite writes nothing.
            "query_only = ON",
            // In KiB. The indexes of deduplicated tiles are read in random order.
            "cache_size = -4096",
        ] {
            try query("PRAGMA " + setting)
        }
        guardian.watch(opened)
    }

    deinit {
        guardian.end()
        sqlite3_close_v2(handle)
    }

    /// Runs a query and calls `body` with each row until it returns false.
    package func query(_ sql: String, _ body: (UntrustedRow) throws -> Bool = { _ in true }) throws {
        try reportingErrors {
            let statement = try prepare(sql)
            defer { sqlite3_finalize(statement) }
            try step(statement, body)
        }
    }

    /// Runs a query once for each element of a list, and calls `body` with the element and each row.
    ///
    /// - Parameter values: Returns the values of the parameters for an element.
    func query<Element>(
        _ sql: String,
        for list: some Sequence<Element>,
        values: (Element) -> [Int],
        _ body: (Element, UntrustedRow) throws -> Void
    ) throws {
        try reportingErrors {
            let statement = try prepare(sql)
            defer { sqlite3_finalize(statement) }
            for element in list {
                sqlite3_reset(statement)
                for (index, value) in values(element).enumerated() {
                    sqlite3_bind_int64(statement, CInt(index + 1), Int64(value))
                }
                try step(statement) { row in
                    try body(element, row)
                    return true
                }
            }
        }
    }

    private func reportingErrors(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as Failure {
            if let reason = guardian.reason { throw error(reason, failure) }
            throw error(failure)
        }
    }

    /// The size of the file, by its pages, in bytes.
    func size() throws -> UInt64 {
        var size: UInt64 = 1
        for name in ["page_count", "page_size"] {
            try pragma(name, "") { row in
                size = size.multipliedReportingOverflow(by: UInt64(clamping: row.integer(0))).partialValue
                return true
            }
        }
        return size
    }

    /// Checks every page of the file; calls `body` with each error, or with “ok”.
    func queryPages(_ body: (UntrustedRow) throws -> Bool) throws { try pragma("quick_check", "(1)", body) }

    /// Runs `body` without the indexes that SQLite may make for one query.
    ///
    /// An index that a query of tile data uses holds the data of all tiles.
    package func withoutTemporaryIndexes<Result>(_ body: () throws -> Result) throws -> Result {
        try pragma("automatic_index", " = OFF")
        defer { try? pragma("automatic_index", " = ON") }
        return try body()
    }

    /// Returns whether a table or view that exists has columns.
    func hasColumns(_ columns: String, of table: String) throws -> Bool {
        do {
            try query("SELECT \(columns) FROM \(table) LIMIT 0")
            return true
        } catch let error as RegionStoreError where (error.cause as? Failure)?.code == SQLITE_ERROR {
            // A view can be wrong for other reasons.
            try query("SELECT * FROM \(table) LIMIT 0")
            return false
        }
    }

    /// Calls `body` with the name of each column of a table, its position in the primary key from 1 (0 if it is no part of it), and
    /// whether it is a generated one.
    func columns(of table: String, _ body: (_ name: String, _ key: Int, _ isHidden: Bool) throws -> Void) throws {
        try pragma("table_xinfo", "(\(table))") { row in
            try body(row.text(1, limit: 200) ?? "", row.integer(5), row.integer(6) != 0)
            return true
        }
    }

    /// Returns whether no two rows of a table have the same values in some columns, because it has an index for that.
    func hasUniqueIndex(on columns: Set<String>, of table: String) throws -> Bool {
        var names: [String] = []
        try pragma("index_list", "(\(table))") { row in
            if row.integer(2) == 1, row.integer(4) == 0, let name = row.text(1, limit: 200) { names.append(name) }
            return true
        }
        return try names.contains { name in
            var indexed: Set<String> = []
            try pragma("index_info", "('\(name.replacing("'", with: "''"))')") { row in
                indexed.insert(row.text(2, limit: 200)?.lowercased() ?? "")
                return true
            }
            return !indexed.isEmpty && indexed.isSubset(of: columns)
        }
    }

    private func pragma(
        _ name: String,
        _ argument: String,
        _ body: (UntrustedRow) throws -> Bool = { _ in true }
    ) throws {
        guardian.allowedPragma = name
        defer { guardian.allowedPragma = nil }
        try query("PRAGMA " + name + argument, body)
    }

    /// Runs a query and returns the result of `body` for the first row; nil if there is none.
    package func first<Result>(_ sql: String, _ body: (UntrustedRow) throws -> Result) throws -> Result? {
        var result: Result?
        try query(sql) { row in
            result = try body(row)
            return false
        }
        return result
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure() }
        return statement
    }

    private func step(_ statement: OpaquePointer, _ body: (UntrustedRow) throws -> Bool) throws {
        // A query of a few steps does not call the handler.
        _ = guardian.look()
        while true {
            let code = sqlite3_step(statement)
            // Some interrupted steps end without an error, with an incomplete result.
            guard guardian.reason == nil else { throw Failure(code: SQLITE_INTERRUPT, message: "interrupted") }
            switch code {
            case SQLITE_ROW: if try !body(UntrustedRow(statement: statement)) { return }
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    /// The error of the last call.
    func failure() -> Failure {
        Failure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    /// Returns the name of a file for SQLite, with one of its query parameters (https://www.sqlite.org/uri.html).
    package static func uri(_ path: String, _ parameter: String?) -> String {
        // Every byte with a special meaning in a URI is written in hexadecimal.
        var uri = "file:"
        for byte in (path.hasPrefix("/") ? path : "./" + path).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }
        return parameter.map { uri + "?" + $0 } ?? uri
    }

    // SQLite's recommendations for untrusted files, with limits that allow the largest tiles and views in use.
    private static let limits: [(CInt, CInt)] = [
        (SQLITE_LIMIT_LENGTH, 8 << 20),
        (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
        (SQLITE_LIMIT_COLUMN, 100),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (SQLITE_LIMIT_VDBE_OP, 25_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 8),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 10),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
}
