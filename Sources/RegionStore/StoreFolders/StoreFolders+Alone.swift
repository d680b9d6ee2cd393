extension StoreFolders {
    /// Calls `body` while nobody puts files in place, takes a workspace or collects.
    ///
    /// Not to be called from within ``withSharedLock(_:)``.
    func alone<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try RegionStoreError.mapping("locked", "The store") { () throws(SystemError) in
            try FileLock(Self.lockName, in: root, .exclusive)
        }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }
}
