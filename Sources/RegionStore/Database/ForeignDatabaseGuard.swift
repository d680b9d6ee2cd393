import Dispatch
import GRDBSQLite
import Glibc

/// Watches over the queries of a ``ForeignDatabase``: what they may do, for how long, and in how much memory.
///
/// SQLite calls it on the thread that uses the database; it is kept alive by its database, which is closed first.
final class ForeignDatabaseGuard {
    private let deadline: Double
    private let mostMemory: Int64
    private let alarms = DispatchQueue(label: "hikeshare.foreign-database")
    private let alarm: any DispatchSourceTimer

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - handle: The database.
    ///   - seconds: How long all queries together may take, from now.
    ///   - memory: How many bytes SQLite may use in this process beyond what it uses now.
    init(_ handle: OpaquePointer, seconds: Double, memory: Int64) {
        self.deadline = Self.now() + seconds
        self.mostMemory = sqlite3_memory_used() + memory
        self.alarm = DispatchSource.makeTimerSource(queue: alarms)
        alarm.schedule(deadline: .now() + seconds, repeating: 1)
        // Some single steps, such as counting the rows of a table, call no handler; but they heed this.
        // SQLite lets any thread interrupt a connection that is open, and `end` returns before it is closed.
        nonisolated(unsafe) let handle = handle
        alarm.setEventHandler { sqlite3_interrupt(handle) }
        alarm.activate()
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
            500,
            { context in
                guard let context else { return 1 }
                let guardian = Unmanaged<ForeignDatabaseGuard>.fromOpaque(context).takeUnretainedValue()
                return guardian.isBeyondItsMeans ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Ends the watch; to be called before the database is closed.
    func end() {
        alarms.sync { alarm.cancel() }
    }

    /// Whether the time is over, or too much memory is in use.
    var isBeyondItsMeans: Bool {
        Self.now() > deadline || sqlite3_memory_used() > mostMemory
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

    /// None of them can take much longer than its arguments are long, as a search for a text in another one can.
    private static let functions: Set<String> = [
        "abs", "cast", "coalesce", "count", "hex", "ifnull", "iif", "length", "lower", "max", "min",
        "nullif", "round", "substr", "substring", "sum", "typeof", "upper",
    ]

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
