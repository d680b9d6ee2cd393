import GRDBSQLite
import Glibc
import PeerStorage
import RegionStore

/// Something that can go wrong in a step.
package enum Fault: String, CaseIterable, Sendable {
    /// The disk is full, and stays so.
    case noSpace
    /// The disk reports an error, once.
    case inputOutput
    /// A permission is missing, once.
    case noPermission
    /// Fewer bytes are moved than were to be, once.
    case short
    /// The file system has no links.
    case noLinks

    /// Whether later steps fail, too.
    package var stays: Bool { self == .noSpace || self == .noLinks }

    /// The error number that a system call ends with.
    package var number: CInt {
        switch self {
        case .noSpace: ENOSPC
        case .inputOutput, .short: EIO
        case .noPermission: EACCES
        case .noLinks: EPERM
        }
    }

    /// Whether it can happen in a step.
    package func applies(to step: Step) -> Bool {
        switch step {
        case .point: false
        case .file(let operation, _): applies(to: operation)
        case .database(let operation, _): code(of: operation) != nil
        }
    }

    private func applies(to operation: FileOperation) -> Bool {
        switch self {
        case .noSpace:
            [.create, .makeFolder, .write, .copy, .resize, .synchronize, .link, .rename].contains(operation)
        case .inputOutput: true
        case .noPermission:
            [.open, .create, .makeFolder, .list, .link, .rename, .removeFile, .removeFolder].contains(operation)
        case .short: [.read, .write, .copy].contains(operation)
        case .noLinks: operation == .link
        }
    }

    /// What SQLite is told; nil if it cannot happen to that operation.
    package func code(of operation: DatabaseOperation) -> CInt? {
        switch (self, operation) {
        case (.noSpace, .write): SQLITE_FULL
        case (.noSpace, .create), (.inputOutput, .open): SQLITE_CANTOPEN
        case (.inputOutput, .read): SQLITE_IOERR | 1 << 8
        case (.noSpace, .synchronize), (.inputOutput, .synchronize): SQLITE_IOERR | 4 << 8
        case (.inputOutput, .truncate): SQLITE_IOERR | 6 << 8
        case (.inputOutput, .delete): SQLITE_IOERR | 10 << 8
        case (.inputOutput, .share): SQLITE_IOERR | 21 << 8
        default: nil
        }
    }
}
