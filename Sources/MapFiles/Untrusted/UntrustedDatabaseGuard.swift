// Where the compiler finds `timespec` depends on the order of a target's files.
import CoreFoundation
import Dispatch
import GRDBSQLite
import Glibc
import Synchronization

/// Limits the queries of an ``UntrustedDatabase``: their operations, time and memory.
///
/// SQLite calls the guard on the thread that uses the database. The database keeps the guard alive, and is closed first.
final class UntrustedDatabaseGuard {
    /// Why queries were stopped.
    enum Reason: UInt8, Sendable {
        case time = 1
        case memory
        case cancellation
    }

    /// The pragma that is allowed now; nil for none.
    ///
    /// Only the library's own statements may use one, not a view.
    var allowedPragma: String?

    private let watch: Watch
    private let mayUseMemory: Bool
    private let wall: SQLiteMemoryWall.Budget
    private let alarms = DispatchQueue(label: "MapFiles.untrusted-database")
    private let alarm: any DispatchSourceTimer

    /// Creates a guard.
    ///
    /// - Parameters:
    ///   - limits: The limits on all queries together: the processor time of this thread from now, and their share of the memory
    ///     of SQLite (see ``SQLiteMemoryWall``).
    ///   - isCancelled: Returns whether queries must stop; called on any thread.
    init(_ handle: OpaquePointer, _ limits: CheckLimits, isCancelled: @escaping @Sendable () -> Bool) {
        let watch = Watch(seconds: limits.seconds, isCancelled: isCancelled)
        self.watch = watch
        self.mayUseMemory = limits.memory >= 0
        self.wall = SQLiteMemoryWall.raise(by: max(0, limits.memory))
        self.alarm = DispatchSource.makeTimerSource(queue: alarms)
        alarm.schedule(deadline: .now() + Self.alarmInterval, repeating: Self.alarmInterval)
        // Some single steps, such as counting the rows of a table, do not call the handler, but can be interrupted.
        // SQLite lets any thread interrupt a connection that is open, and `end` returns before it is closed.
        nonisolated(unsafe) let handle = handle
        alarm.setEventHandler { if watch.look() != nil { sqlite3_interrupt(handle) } }
        alarm.activate()
    }

    /// Installs the guard.
    func watch(_ handle: OpaquePointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { context, action, first, second, _, _ in
                guard let context else { return SQLITE_DENY }
                let guardian = Unmanaged<UntrustedDatabaseGuard>.fromOpaque(context).takeUnretainedValue()
                return guardian.allows(action, first, second) ? SQLITE_OK : SQLITE_DENY
            },
            context
        )
        sqlite3_progress_handler(
            handle,
            500,
            { context in
                guard let context else { return 1 }
                let guardian = Unmanaged<UntrustedDatabaseGuard>.fromOpaque(context).takeUnretainedValue()
                return guardian.look() == nil ? 0 : 1
            },
            context
        )
    }

    /// Removes the guard.
    ///
    /// Must be called before the database is closed.
    func end() { alarms.sync { alarm.cancel() } }

    deinit {
        // The closed database has returned its memory, which would count against other checks.
        SQLiteMemoryWall.lower(wall)
    }

    /// The reason why queries were stopped; nil if they were not.
    var reason: Reason? { watch.reason }

    /// Checks whether queries must stop now, and why.
    func look() -> Reason? {
        if !mayUseMemory || SQLiteMemoryWall.isPassed() { watch.stop(.memory) }
        return watch.look()
    }

    private func allows(_ action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_TRANSACTION:
            return true
        case SQLITE_FUNCTION:
            return second.map { Self.functions.contains(String(cString: $0).lowercased()) } ?? false
        case SQLITE_PRAGMA:
            return allowedPragma != nil && first.map { String(cString: $0) } == allowedPragma
        default:
            return false
        }
    }

    /// The allowed functions.
    ///
    /// None of them can take much longer than the length of its arguments.
    private static let functions: Set<String> = [
        "abs", "cast", "coalesce", "count", "hex", "ifnull", "iif", "length", "lower", "max", "min",
        "nullif", "round", "substr", "substring", "sum", "typeof", "upper",
    ]

    /// The time for which a single step may continue after a limit is reached.
    private static let alarmInterval = 0.2

    /// The state shared by the thread that uses the database and the thread of the alarm.
    private final class Watch: Sendable {
        private let clock: clockid_t
        private let end: Double
        private let isCancelled: @Sendable () -> Bool
        private let stopped = Atomic<UInt8>(0)

        init(seconds: Double, isCancelled: @escaping @Sendable () -> Bool) {
            var clock = CLOCK_MONOTONIC
            // Otherwise the elapsed time counts, which is stricter.
            _ = pthread_getcpuclockid(pthread_self(), &clock)
            self.clock = clock
            self.end = (CheckLimits.time(clock) ?? 0) + seconds
            self.isCancelled = isCancelled
        }

        var reason: Reason? { Reason(rawValue: stopped.load(ordering: .relaxed)) }

        /// Stops; the first reason counts.
        func stop(_ reason: Reason) {
            _ = stopped.compareExchange(expected: 0, desired: reason.rawValue, ordering: .relaxed)
        }

        func look() -> Reason? {
            if reason == nil {
                if isCancelled() {
                    stop(.cancellation)
                } else if let now = CheckLimits.time(clock), now > end {
                    stop(.time)
                }
            }
            return reason
        }
    }
}

extension CheckLimits {
    /// The processor time that the current thread has taken, in seconds.
    package static var processorTime: Double { time(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

    fileprivate static func time(_ clock: clockid_t) -> Double? {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
