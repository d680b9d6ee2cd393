import Glibc

/// A lock on a file, held until the value is released or the process ends.
package final class FileLock: Sendable {
    /// Who else may have a lock on the file.
    package enum Mode {
        /// Those with a shared lock.
        case shared
        /// No other process.
        case exclusive

        fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
    }

    /// The name of the file that stands for its folder: with its lock, a process has the folder for itself.
    package static let name = "lock"

    private let file: OpenFile

    /// Waits for a lock on a file of a folder.
    ///
    /// The file is created if it does not exist.
    package init(_ name: String, in folder: Folder, _ mode: Mode) throws(SystemError) {
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        self.file = file
        try SystemCall.perform(.lock, file.path, file.faults) { flock(file.descriptor, mode.operation) }
    }

    /// Acquires a lock on a file of a folder; nil if another process or transfer holds it.
    package convenience init?(trying name: String, in folder: Folder, _ mode: Mode) throws(SystemError) {
        try self.init(trying: try folder.openFile(name, O_RDWR | O_CREAT), mode)
    }

    /// Acquires a lock on an open file; nil if another process or transfer holds it.
    package init?(trying file: OpenFile, _ mode: Mode) throws(SystemError) {
        self.file = file
        do throws(SystemError) {
            try SystemCall.perform(.lock, file.path, file.faults) { flock(file.descriptor, mode.operation | LOCK_NB) }
        } catch  where error.number == EWOULDBLOCK {
            return nil
        }
    }

    deinit {
        // Closing is not enough, because a child process that is being started briefly has a copy of the descriptor.
        flock(file.descriptor, LOCK_UN)
    }
}
