import FoundationEssentials
import GRDB
import Glibc

/// The store's own database: opened, migrated, and with its errors put into words.
struct StoreDatabase: Sendable {
    static let fileName = "hikeshare.sqlite"

    private let pool: DatabasePool

    /// Opens the database of a store; makes it if there is none.
    init(in folder: Folder) throws(RegionStoreError) {
        let name = Self.fileName
        let path = folder.path(of: name)
        // SQLite would let others read it, and gives the files beside it the modes of this one.
        _ = try RegionStoreError.mapping("opened", path) { () throws(SystemError) in
            try folder.openFile(name, O_RDWR | O_CREAT)
        }
        // Two that open a new store at once would both make its tables.
        let lock = try RegionStoreError.mapping("locked", path) { () throws(SystemError) in
            try FileLock(StoreFolders.lockName, in: folder, .exclusive)
        }
        defer { withExtendedLifetime(lock) {} }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            guard !database.configuration.readonly else { return }
            // Heard by a new database only: room that photos took can be given back.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
        }
        do {
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                // A commit that was reported must survive a power cut.
                try database.execute(sql: "PRAGMA synchronous = FULL")
            }
            let migrator = StoreSchema.migrator
            guard try !pool.read(migrator.hasBeenSuperseded) else {
                throw RegionStoreError(
                    .storage,
                    "\(path) was written by a newer version of hikeshare.",
                    remedy: "Update hikeshare on this machine."
                )
            }
            try migrator.migrate(pool)
            self.pool = pool
        } catch {
            throw Self.worded(error, "database \(path)")
        }
    }

    /// Reads, from one state of the database.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do {
            return try pool.read(body)
        } catch {
            throw Self.worded(error, Self.anonymous)
        }
    }

    /// Makes sure that what can be read now can be read after a power cut.
    ///
    /// A transaction counts as soon as all of it is in the log. If the process died before the log was on the disk, the
    /// next one sees a transaction that a power cut could still undo; if the disk refused to take the log, nobody sees
    /// one that the next process to open the database would. When the log is empty, there is neither.
    func settle() throws {
        do {
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch {
            throw Self.worded(error, Self.anonymous)
        }
    }

    /// Writes in one transaction: all or nothing.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do {
            return try pool.write(body)
        } catch {
            throw Self.worded(error, Self.anonymous)
        }
    }

    /// Gives room back that nothing takes any more; not worth failing for.
    func shrink() {
        try? pool.writeWithoutTransaction { database in
            // Each step gives one page back.
            let steps = try Row.fetchCursor(database, sql: "PRAGMA incremental_vacuum")
            while try steps.next() != nil {}
            try database.checkpoint(.truncate)
        }
    }

    // Errors of a running transfer reach the other side, which our paths do not concern.
    private static let anonymous = "store's database"

    private static func worded(_ error: any Error, _ name: String) -> RegionStoreError {
        if let error = error as? RegionStoreError { return error }
        guard let error = error as? DatabaseError else {
            return RegionStoreError(.storage, "The \(name) cannot be read: \(error).", cause: error)
        }
        switch error.resultCode {
        case .SQLITE_FULL:
            return RegionStoreError(
                .storage,
                "The disk with the \(name) is full.",
                remedy: "Free some space and try again.",
                cause: error
            )
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            return RegionStoreError(
                .storage,
                "The \(name) cannot be written: \(error.message ?? "permission is denied").",
                remedy: "See that the disk has room and the permissions are right, or choose another store.",
                cause: error
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return RegionStoreError(
                .storage,
                "The \(name) is busy: another hikeshare has been writing to it for more than 10 seconds.",
                remedy: "Wait for it to finish and try again.",
                cause: error
            )
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return RegionStoreError(
                .storage,
                "The \(name) is damaged: \(error.message ?? "it is no database").",
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
