import GRDBSQLite

/// An SQLite file that somebody else made, opened for reading only and trusted in nothing.
///
/// Views and everything else in the schema are run under an authorizer that allows plain reading and harmless
/// functions only, within limits of memory and time. Used by one thread at a time.
final class UntrustedDatabase {
    /// How a file is opened.
    enum Access {
        /// A file of ours that nobody changes: no locks, and files beside it do not count.
        case immutable
        /// A file that another program may be using.
        case live
    }

    /// What SQLite says went wrong.
    struct Failure: Error {
        var code: CInt
        var message: String
    }

    /// What the file is called in messages: its path, or words where a path is nobody's business.
    let name: String
    let handle: OpaquePointer
    private let guardian: UntrustedDatabaseGuard

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - access: How it is opened.
    ///   - name: What it is called in messages; nil for its path.
    ///   - seconds: How much processor time all queries together may take.
    ///   - memory: How many bytes SQLite may use for them.
    ///   - isCancelled: Whether the result is not wanted any more; asked on any thread.
    /// - Throws: ``RegionStoreError`` if it cannot be opened. Whether it is a database shows at the first query.
    init(
        _ path: String,
        _ access: Access,
        called name: String? = nil,
        seconds: Double,
        memory: Int64,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let name = name ?? path
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(Self.uri(path, access), &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            // What is in the file is not looked at before the first query: it is this machine that is in the way.
            throw RegionStoreError(
                .storage,
                "\(name) cannot be opened: \(message). The disk or the permissions may be the cause.",
                remedy: "Check the disk and the permissions, close some programs, and try again.",
                cause: Failure(code: code, message: message)
            )
        }
        self.name = name
        self.handle = opened
        self.guardian = UntrustedDatabaseGuard(opened, seconds: seconds, memory: memory, isCancelled: isCancelled)
        // Tables that run code of a module when they are looked at; there are none that we need.
        sqlite3_drop_modules(opened, nil)
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_busy_timeout(opened, 5000)
        for (limit, value) in Self.limits { sqlite3_limit(opened, limit, value) }
        for setting in [
            "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON", "temp_store = MEMORY",
            // In KiB: the indexes of deduplicated tiles are looked at in no order.
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

    /// Runs a query and hands each row to `body` until that returns false.
    func query(_ sql: String, _ body: (UntrustedRow) throws -> Bool = { _ in true }) throws {
        do {
            try run(sql, body)
        } catch let failure as Failure {
            if let reason = guardian.reason { throw error(reason, failure) }
            throw error(failure)
        }
    }

    /// Reads every page of the file; hands each finding, or “ok”, to `body`.
    func queryPages(_ body: (UntrustedRow) throws -> Bool) throws {
        guardian.allowsPageCheck = true
        defer { guardian.allowsPageCheck = false }
        try query("PRAGMA quick_check(1)", body)
    }

    /// Runs a query and returns what `body` makes of its first row; nil if there is none.
    func first<Result>(_ sql: String, _ body: (UntrustedRow) throws -> Result) throws -> Result? {
        var result: Result?
        try query(sql) { row in
            result = try body(row)
            return false
        }
        return result
    }

    private func run(_ sql: String, _ body: (UntrustedRow) throws -> Bool = { _ in true }) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure() }
        defer { sqlite3_finalize(statement) }
        // What runs only a few steps calls no handler.
        _ = guardian.look()
        while true {
            let code = sqlite3_step(statement)
            // Some steps that are interrupted end as if they were done, with whatever they have.
            guard guardian.reason == nil else { throw Failure(code: SQLITE_INTERRUPT, message: "interrupted") }
            switch code {
            case SQLITE_ROW: if try !body(UntrustedRow(statement: statement)) { return }
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    /// What the last call says went wrong.
    func failure() -> Failure {
        Failure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    private static func uri(_ path: String, _ access: Access) -> String {
        // Every byte that means something in a URI is written in hexadecimal.
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
        return access == .immutable ? uri + "?immutable=1" : uri
    }

    // SQLite's advice for files from strangers, with room for the largest tiles and views in use.
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
