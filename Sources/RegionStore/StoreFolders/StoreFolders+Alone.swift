extension StoreFolders {
    /// Calls `body` with the exclusive lock of the store.
    ///
    /// Must not be called from within ``withSharedLock(_:)``.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
            try FileLock(Self.lockName, in: root, .exclusive)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
