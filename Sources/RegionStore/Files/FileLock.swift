import Glibc

/// A lock on a file, held until it goes away; it also goes when the process dies.
final class FileLock: Sendable {
    enum Mode {
        case shared
        case exclusive

        fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
    }

    private let file: OpenFile

    /// Waits for a lock on a file of a folder; the file is made if it is not there.
    init(_ name: String, in folder: Folder, _ mode: Mode) throws(SystemError) {
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        self.file = file
        try SystemCall.perform(.lock, file.path, file.faults) { flock(file.descriptor, mode.operation) }
    }

    /// Takes a lock on a file of a folder; nil if somebody else holds it.
    init?(trying name: String, in folder: Folder, _ mode: Mode) throws(SystemError) {
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        self.file = file
        do throws(SystemError) {
            try SystemCall.perform(.lock, file.path, file.faults) { flock(file.descriptor, mode.operation | LOCK_NB) }
        } catch  where error.number == EWOULDBLOCK {
            return nil
        }
    }

    deinit {
        // Closing is not enough: a program that is just being started has a copy of the descriptor for a moment.
        flock(file.descriptor, LOCK_UN)
    }
}
