import GRDBSQLite
import Synchronization

/// The memory that SQLite never exceeds while databases from elsewhere are checked.
///
/// A ``UntrustedDatabaseGuard`` looks at the memory every few hundred steps. One step can take a lot of it, so there is a
/// wall behind that limit: beyond it SQLite says that there is no memory, and lives on. It stands for the whole process,
/// so it leaves room for our own store.
enum SQLiteMemoryWall {
    /// A part of the wall's height, for one check.
    struct Budget {
        fileprivate let bytes: Int64
    }

    /// What the process's own databases may take beside a check.
    private static let reserve: Int64 = 8 << 20

    private struct State {
        var count = 0
        var sum: Int64 = 0
        var height: Int64 = 0
    }

    private static let state = Mutex(State())

    /// Makes room for a check that needs so many bytes.
    static func raise(by bytes: Int64) -> Budget {
        state.withLock { state in
            state.count += 1
            state.sum += bytes
            state.height = max(state.height, sqlite3_memory_used() + state.sum + reserve)
            sqlite3_hard_heap_limit64(state.height)
        }
        return Budget(bytes: bytes)
    }

    /// Takes the room of a check back; without any, there is no wall.
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
