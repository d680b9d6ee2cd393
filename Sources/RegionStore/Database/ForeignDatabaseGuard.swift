import GRDBSQLite
import Glibc

/// Watches over the queries of a ``ForeignDatabase``: what they may do and for how long.
///
/// SQLite calls it on the thread that uses the database; it is kept alive by its database, which is closed first.
final class ForeignDatabaseGuard {
    private let deadline: Double

    init(seconds: Double) {
        self.deadline = Self.now() + seconds
    }

    /// Installs the guard.
    func watch(_ handle: OpaquePointer) {
        sqlite3_set_authorizer(
            handle,
            { _, action, first, second, _, _ in
                ForeignDatabaseGuard.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            },
            nil
        )
        sqlite3_progress_handler(
            handle,
            100_000,
            { context in
                guard let context else { return 1 }
                let guardian = Unmanaged<ForeignDatabaseGuard>.fromOpaque(context).takeUnretainedValue()
                return ForeignDatabaseGuard.now() > guardian.deadline ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private static func allows(
        _ action: CInt,
        _ first: UnsafePointer<CChar>?,
        _ second: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_TRANSACTION:
            return true
        case SQLITE_FUNCTION:
            return second.map { functions.contains(String(cString: $0).lowercased()) } ?? false
        case SQLITE_PRAGMA:
            return first.map { String(cString: $0) == "quick_check" } ?? false
        default:
            return false
        }
    }

    private static let functions: Set<String> = [
        "abs", "cast", "coalesce", "count", "hex", "ifnull", "iif", "instr", "length", "like", "lower", "max", "min",
        "nullif", "round", "substr", "substring", "sum", "trim", "typeof", "upper",
    ]

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
