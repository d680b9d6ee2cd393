import GRDBSQLite
import Synchronization

/// The limits on the check of an untrusted database.
///
/// A file whose check reaches a limit may still be valid. It is not accepted, but its received data are kept.
package struct CheckLimits: Hashable, Sendable {
    /// The maximum processor time, in seconds.
    ///
    /// Waiting for a slow disk does not count.
    package var seconds: Double

    /// The maximum memory of SQLite, in bytes, beyond what it uses at the start; a negative limit is passed from the beginning.
    package var memory: Int64

    /// Creates limits.
    package init(seconds: Double, memory: Int64) {
        self.seconds = seconds
        self.memory = memory
    }

    /// The limits for a file from a peer, and for the use of a file of the store.
    ///
    /// Together with the rest of the program, the memory stays below 64 MB.
    package static func receiving(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: 1.4 * seconds(size), memory: 12 << 20)
    }

    /// The limits for the same check of a file that a person imports.
    ///
    /// They are stricter than those for a file from a peer, so that a somewhat slower receiver accepts what this machine accepts.
    package static func importing(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 10 << 20)
    }

    /// The limits for what is checked of a file that a person imports, and not of one from a peer: every page and row.
    package static func thorough(size: UInt64) -> CheckLimits {
        CheckLimits(seconds: seconds(size), memory: 96 << 20)
    }

    /// The limits for finding a tile.
    ///
    /// A map without an index needs a look at all of its tiles for each one.
    package static let oneTile = CheckLimits(seconds: 2, memory: 12 << 20)

    /// The limits for finding a tile of a file that a person imports; stricter for the same reason.
    package static let oneImportedTile = CheckLimits(seconds: 0.5, memory: 10 << 20)

    /// A map of many small tiles has some 40 bytes for each, and a slow laptop needs some 20 µs for each.
    private static func seconds(_ size: UInt64) -> Double {
        20 + Double(size) / 1_000_000
    }
}

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
