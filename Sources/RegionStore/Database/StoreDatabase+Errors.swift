import GRDB
import Glibc
import PeerStorage
import RegionModel

extension StoreDatabase {
    /// The free space, in bytes, below which SQLite cannot open a database.
    private static let leastRoom: UInt64 = 128 * 1024

    /// Returns whether the cause of an error is a full disk.
    ///
    /// SQLite reports a full disk for some writes only. For the others, the free space is checked.
    static func isFull(_ error: DatabaseError, _ folder: Folder) -> Bool {
        switch error.resultCode {
        case .SQLITE_FULL: true
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: (try? folder.space()).map { $0.available < leastRoom } ?? false
        default: false
        }
    }

    /// Translates an error of the database.
    static func worded(_ error: any Error, _ name: String, _ folder: Folder) -> RegionStoreError {
        if let error = error as? RegionStoreError { return error }
        guard let error = error as? DatabaseError else {
            return RegionStoreError(.storage, "The \(name) cannot be read: \(error).", cause: error)
        }
        if isFull(error, folder) {
            return RegionStoreError(
                .storage,
                "The disk with the \(name) is full.",
                remedy: "Free some space and try again.",
                cause: error
            )
        }
        switch error.resultCode {
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return RegionStoreError(
                .storage,
                "The \(name) cannot be written: \(error.message ?? "permission is denied").",
                remedy: "Check the free space and the permissions, or choose another store.",
                cause: error
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return RegionStoreError(
                .storage,
                "The \(name) is busy: another process has been writing to it for more than 10 seconds.",
                remedy: "Wait for it to finish and try again.",
                cause: error
            )
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return RegionStoreError(
                .storage,
                "The \(name) is damaged: \(error.message ?? "it is not a database").",
                remedy: "Restore it from a backup, or choose another store.",
                cause: error
            )
        case .SQLITE_IOERR:
            return RegionStoreError(
                .storage,
                "The \(name) cannot be read or written: the disk reports an error.",
                remedy: SystemError(number: EIO).remedy,
                cause: error
            )
        default:
            return RegionStoreError(
                .storage,
                "The \(name) failed: \(error.message ?? String(describing: error.resultCode)).",
                cause: error
            )
        }
    }
}
