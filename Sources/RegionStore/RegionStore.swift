/// A store of regions: their maps and routing databases as files, all else in a database.
///
/// Several processes may use one store at once. What a store says it has done is on the disk. Calls block while they
/// work; those that take long say how far they are.
public struct RegionStore: Sendable {
    /// Where the store is.
    package let path: String

    let database: StoreDatabase
    let folders: StoreFolders

    /// Opens a store; makes it if there is none, for this user's eyes only.
    ///
    /// What was left behind by a process that died is cleared away.
    ///
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/storage`` if that is not permitted, the disk is full,
    ///   or the store was written by a newer version.
    public init(path: String) throws {
        try self.init(path: path, faults: nil)
    }

    /// Opens a store for a test, which is told of every step.
    ///
    /// What arrives is put on the disk after so many bytes.
    package init(path: String, faults: (any FaultInjector)?, syncInterval: UInt64? = nil) throws {
        self.path = path
        var folders = try StoreFolders(at: path, faults)
        if let syncInterval { folders.syncInterval = syncInterval }
        if faults != nil { folders.reserveSize = 16 * 1024 }
        self.folders = folders
        self.database = try StoreDatabase(in: folders.root)
        collectGarbage()
    }

    /// Removes files that no region has and no process uses.
    func collectGarbage() {
        reach(.collectStrays)
        folders.collectGarbage {
            try database.read { database in
                (files: try RegionFileRecord.fileNames(database), merged: try MergedPhotoArchive.digests(database))
            }
        } settle: {
            reach(.settleDatabase)
            try database.settle()
            reach(.removeStrayFiles)
        }
        folders.keepReserve()
    }

    /// Tells who wants to know that a step is about to be taken.
    func reach(_ point: FaultPoint) {
        folders.root.faults?.reach(point)
    }
}
