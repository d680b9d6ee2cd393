import Glibc
import PeerStorage
import RegionModel

/// The lock of a store.
extension StoreFolders {
    /// Calls `body` with the exclusive lock of the store.
    ///
    /// Must not be called from within ``withSharedLock(_:)``.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// Calls `body` with the shared lock of the store, so that no file is removed meanwhile.
    func withSharedLock<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try lock(.shared)
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// Waits for the lock; nil if a store that is only read cannot be written, and so cannot be locked.
    private func lock(_ mode: FileLock.Mode) throws -> FileLock? {
        try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
            do throws(SystemError) {
                return try FileLock(FileLock.name, in: root, mode)
            } catch  where access == .reading && error.deniesWriting {
                return nil
            }
        }
    }
}

/// The reserved disk space of a store, which is a file without content.
///
/// SQLite writes to its log before it frees space. Without the reserve, no region could be removed from a full disk.
extension StoreFolders {
    static let reserveName = "reserve"

    /// Reserves space, at most an eighth of the free space.
    ///
    /// Errors are ignored.
    func keepReserve() {
        guard let file = try? root.openFile(Self.reserveName, O_RDWR | O_CREAT), let status = try? file.status(),
            status.allocatedSize < reserveSize, let space = try? root.space()
        else { return }
        let size = min(reserveSize, space.available / 8)
        guard status.allocatedSize < size else { return }
        _ = try? SystemCall.perform(.resize, file.path, file.faults) {
            // The function returns the error instead of setting errno.
            let number = posix_fallocate(file.descriptor, 0, off_t(clamping: size))
            if number != 0 { errno = number }
            return number == 0 ? 0 : -1
        }
    }

    /// Releases the reserve if there is little free space.
    func spendReserve() {
        guard let space = try? root.space(), space.available < reserveSize else { return }
        try? root.removeFile(Self.reserveName)
    }
}
