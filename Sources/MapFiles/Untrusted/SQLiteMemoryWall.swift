import GRDBSQLite
import Synchronization

/// The limits on SQLite's memory while untrusted databases are checked.
///
/// SQLite counts the memory of the whole process, so no check knows its own. Each one brings its share, and a check stops when all
/// of them use more than all shares together. So checks that stay within their shares never stop one another. One that does not may
/// use the shares of others, and may stop one of them instead of itself: that one's received data are kept, and checked again.
///
/// An ``UntrustedDatabaseGuard`` checks the memory every few hundred steps, but one step can allocate a lot. Beyond a hard
/// limit, SQLite reports that it is out of memory. That limit includes memory for the store's own database.
enum SQLiteMemoryWall {
    /// The share of the limits for one check.
    struct Budget {
        fileprivate let bytes: Int64
    }

    /// The memory for the process's own databases, in bytes.
    ///
    /// A photo has up to 16 MiB, and SQLite may hold its row twice.
    private static let reserve: Int64 = 40 << 20

    private struct State {
        var count = 0
        var sum: Int64 = 0
        /// The memory that no check has allocated: what is in use beyond all shares when one begins.
        var base: Int64 = 0
        var height: Int64 = 0
    }

    private static let state = Mutex(State())

    /// Raises the limits for a check, by a number of bytes.
    static func raise(by bytes: Int64) -> Budget {
        state.withLock { state in
            let used = sqlite3_memory_used()
            state.base = state.count == 0 ? used : max(state.base, used - state.sum)
            state.count += 1
            state.sum += bytes
            state.height = max(state.height, used + state.sum + reserve)
            sqlite3_hard_heap_limit64(state.height)
        }
        return Budget(bytes: bytes)
    }

    /// Returns whether the checks use more than all of them may.
    static func isPassed() -> Bool { state.withLock { sqlite3_memory_used() > $0.base + $0.sum } }

    /// Lowers the limits after a check.
    ///
    /// Without checks, there is no hard limit.
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
