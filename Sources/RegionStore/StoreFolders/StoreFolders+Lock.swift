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
