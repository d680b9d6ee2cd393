import Glibc
import Synchronization

/// The files and folders that must not stay if the process ends before its work is complete.
///
/// A signal can end a process at any moment. Whatever ends it removes them first.
package enum UnfinishedFiles {
    private static let paths = Mutex<Set<String>>([])

    /// Adds a file, or a folder that is removed if it is empty.
    package static func add(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    /// Takes files and folders out, because they are complete, or removed.
    package static func finish(_ finished: some Sequence<String>) {
        paths.withLock { $0.subtract(finished) }
    }

    /// Removes all of them, then calls `end`.
    ///
    /// Meanwhile none can be added or finished, so `end` should end the process.
    package static func remove(andThen end: () -> Void) {
        paths.withLock { paths in
            // What is in a folder goes before it.
            for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) where unlink(path) != 0 { rmdir(path) }
            paths = []
            end()
        }
    }
}
