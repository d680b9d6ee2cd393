import FoundationEssentials
import Glibc
import Synchronization

/// The files and folders that must not stay if the process ends before its work is complete.
///
/// A signal can end a process at any moment. Whatever ends it removes them first.
package enum UnfinishedFiles {
    private struct State {
        var paths: Set<String> = []
        /// The folders that are removed with all that is in them.
        var workspaces: Set<String> = []
        /// Whether complete files belong to a whole that is not complete.
        var isCollecting = false
    }

    private static let state = Mutex(State())

    /// Creates a file, or a folder that is removed if it is empty, and adds it.
    ///
    /// No signal comes in between.
    package static func creating<Result: Sendable>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
        try state.withLock { state in
            let result = try body()
            state.paths.insert(path)
            return result
        }
    }

    /// Adds a folder that is removed with all that is in it.
    static func add(workspace path: String) { state.withLock { _ = $0.workspaces.insert(path) } }

    /// Takes out a folder that was removed, or belongs to another process from now on.
    static func finish(workspace path: String) { state.withLock { _ = $0.workspaces.remove(path) } }

    /// Takes files and folders out, because they are complete, or removed.
    package static func finish(_ finished: some Sequence<String>) {
        state.withLock { $0.paths.subtract(finished) }
    }

    /// Runs work that writes several files: all of them stay, or none.
    package static func collecting<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.isCollecting = true }
        defer { state.withLock { $0.isCollecting = false } }
        return try body()
    }

    /// Gives a complete file its name, which `body` does, and adds it if it belongs to a whole.
    ///
    /// No signal comes in between, so only a file that this process has written is removed.
    static func naming(_ path: String, _ body: () throws -> Void) rethrows {
        try state.withLock { state in
            try body()
            if state.isCollecting { state.paths.insert(path) }
        }
    }

    /// Removes all of them, then calls `end`.
    ///
    /// Meanwhile none can be added or finished, so `end` should end the process.
    package static func remove(andThen end: () -> Void) {
        state.withLock { state in
            // What is in a folder goes before it.
            for path in state.paths.sorted(by: { $0.utf8.count > $1.utf8.count }) where unlink(path) != 0 {
                rmdir(path)
            }
            for path in state.workspaces { try? FileManager.default.removeItem(atPath: path) }
            (state.paths, state.workspaces) = ([], [])
            end()
        }
    }
}
