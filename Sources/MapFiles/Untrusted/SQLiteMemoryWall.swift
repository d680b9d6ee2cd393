import GRDBSQLite
import Synchronization

/// The hard limit on SQLite's memory while untrusted databases are checked.
///
/// An ``UntrustedDatabaseGuard`` checks the memory every few hundred steps, but one step can allocate a lot. Beyond the hard
/// limit, SQLite reports that it is out of memory. The limit applies to the whole process, so it includes memory for the
/// store's own database.
enum SQLiteMemoryWall {
    /// The share of the limit for one check.
    struct Budget {
        fileprivate let bytes: Int64
    }

    /// The memory for the process's own databases, in bytes.
    ///
    /// A photo has up to 16 MiB, and its row is written and read whole.
    private static let reserve: Int64 = 40 << 20

    private struct State {
        var count = 0
        var sum: Int64 = 0
        var height: Int64 = 0
    }

    private static let state = Mutex(State())

    /// Raises the limit for a check, by a number of bytes.
    static func raise(by bytes: Int64) -> Budget {
        state.withLock { state in
            state.count += 1
            state.sum += bytes
            state.height = max(state.height, sqlite3_memory_used() + state.sum + reserve)
            sqlite3_hard_heap_limit64(state.height)
        }
        return Budget(bytes: bytes)
    }

    /// Lowers the limit after a check.
    ///
    /// Without checks, there is no limit.
    static func lower(_ budget: Budget) {
        state.withLock { state in
            state.count -= 1
            state.sum -= budget.bytes
            if state.count == 0 {
                state.height = 0
                sqlite3_hard_heap_limit64(0)
            }
        }
    }
}
