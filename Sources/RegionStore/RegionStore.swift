import GRDB
import PeerStorage

/// A store of regions: a folder with the maps and routing databases as files, and an SQLite database for everything else.
///
/// Any number of processes can use one store at the same time. When a call returns, its changes are on the disk. Calls block
/// the thread while they work; long ones report their progress.
///
/// ```swift
/// let store = try RegionStore(path: folder)
/// let region = try store.importMap(at: "alps.mbtiles").region
/// try store.importGPX(at: "hike.gpx", into: region.id)
/// for region in try store.regions() { print(region.name, region.hikeCount) }
/// ```
public struct RegionStore: Sendable {
    /// The path of the store's folder.
    package let path: String

    /// Whether opening has created the store.
    package var isNew: Bool { folders.isNew }

    package let application: String
    let database: StoreDatabase
    let folders: StoreFolders
    private let faults: (any StoreFaultInjector)?

    /// Opens a store, or creates it if the folder does not exist.
    ///
    /// Only this user can read a created store.
    ///
    /// Opening also removes files that a terminated process left unfinished.
    ///
    /// - Parameters:
    ///   - path: The path of the store's folder.
    ///   - application: The name of the application, which exported GPX files name as their creator.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if a permission is missing, the disk is full,
    ///   or a newer version of the library has written the store.
    public init(path: String, application: String = "RegionStore") throws {
        try self.init(path: path, application: application, access: .creating)
    }

    /// Opens a store for what a process needs it for.
    ///
    /// Opening to read needs no permission to write, and waits for no other process.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the store does not exist and is not to be
    ///   created; else as ``init(path:application:)``.
    package init(path: String, application: String = "RegionStore", access: StoreAccess) throws {
        try self.init(path: path, application: application, access: access, faults: nil)
    }

    /// Opens a store for a test.
    ///
    /// - Parameters:
    ///   - faults: Sees each step before it happens, and can let it fail.
    ///   - syncInterval: The number of bytes after which what is received or imported is synchronised to the disk; nil for the default.
    package init(
        path: String,
        application: String = "RegionStore",
        access: StoreAccess = .creating,
        faults: (any StoreFaultInjector)?,
        syncInterval: UInt64? = nil
    ) throws {
        self.path = path
        self.application = application
        var folders = try StoreFolders(at: path, faults, access)
        if let syncInterval { folders.syncInterval = syncInterval }
        if faults != nil { folders.reserveSize = 16 * 1024 }
        self.folders = folders
        self.faults = faults
        self.database = try StoreDatabase(in: folders.root, access)
        if access != .reading {
            completeCoverages()
            completeEditions()
        }
        collectGarbage()
    }

    /// Removes files that belong to no region and that no process uses.
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

    /// Reports to the fault injector that a step is about to happen.
    func reach(_ point: FaultPoint) { faults?.reach(point) }
}

extension RegionStore {
    /// Returns the name of this machine that others see; nil if none was chosen.
    package func displayName() throws -> String? { try setting("displayName") }

    /// Keeps the name of this machine that others see.
    package func setDisplayName(_ name: String) throws { try set("displayName", to: name) }

    /// Returns whether maps are signed when they are imported; nil if the person has not been told of it.
    package func signsMaps() throws -> Bool? { try setting("signsMaps").map { $0 == "true" } }

    /// Keeps whether maps are signed when they are imported.
    package func setSignsMaps(_ signs: Bool) throws { try set("signsMaps", to: "\(signs)") }

    /// Returns whether phones that have LocalSend find this machine while the window is open; nil if nobody has decided that.
    package func isFoundByPhones() throws -> Bool? { try setting("isFoundByPhones").map { $0 == "true" } }

    /// Keeps whether phones that have LocalSend find this machine while the window is open.
    package func setFoundByPhones(_ isFound: Bool) throws { try set("isFoundByPhones", to: "\(isFound)") }

    func setting(_ name: String) throws -> String? {
        // Reading does not wait for a process that writes.
        try database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
        }
    }

    func set(_ name: String, to value: String) throws {
        try database.write { database in
            let sql = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)"
            try database.execute(sql: sql, arguments: [name, value])
        }
    }
}
