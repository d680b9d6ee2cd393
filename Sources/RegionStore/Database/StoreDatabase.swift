import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import PeerStorage
import RegionModel
import Synchronization

/// The database of a store.
///
/// It is migrated when it is opened, and its errors are translated.
///
/// Opening an up-to-date database writes nothing and does not wait for other processes. The first write opens the writing
/// connection.
final class StoreDatabase: Sendable {
    static let fileName = "hikeshare.sqlite"

    // The reader is closed before the writer, which then empties and removes the log.
    private let reader: any DatabaseReader
    private let writer: Mutex<(any DatabaseWriter)?>
    private let folder: Folder
    private let path: String

    /// Opens the database of a store, or creates it if it does not exist.
    init(in folder: Folder, _ access: StoreAccess = .creating) throws(RegionStoreError) {
        let path = folder.path(of: Self.fileName)
        // SQLite would create a file that others can read. It gives the files beside it the mode of this file.
        let size = try RegionStoreError.mapping("opened", path) { () throws(SystemError) in
            if let size = try folder.size(of: Self.fileName, isForWriting: access != .reading) { return size }
            // This process may use the file through another object: SQLite's locks must stay, so it is not opened here.
            return try folder.openFile(Self.fileName, access == .reading ? O_RDONLY : O_RDWR | O_CREAT).size()
        }
        self.path = path
        do {
            let opened = try (size > 0 ? Self.open(path, folder, access) : nil) ?? Self.make(path, folder)
            self.reader = opened.reader
            self.writer = Mutex(opened.writer)
            self.folder = folder
        } catch {
            throw Self.worded(error, "database \(path)", folder)
        }
    }

    /// Reads in one transaction.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try wording { try reader.read(body) }
    }

    /// Ensures that a power cut does not undo any transaction that can be read now.
    ///
    /// A transaction is visible when it is completely in the log. If the process died before the log was on the disk, the
    /// next process sees a transaction that a power cut could still undo. If the disk refused the log, no running process
    /// sees the transaction, but the next one to open the database does. Emptying the log prevents both.
    func settle() throws {
        try wording { try openedWriter().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
    }

    /// Writes in one transaction.
    ///
    /// A sparing transaction needs little disk space: removed content is not overwritten with zeros, which SQLite would write
    /// to the log first.
    func write<Result>(isSparing: Bool = false, _ body: (Database) throws -> Result) throws -> Result {
        try wording {
            let writer = try openedWriter()
            if isSparing {
                try writer.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY")
                }
            }
            return try writer.write(body)
        }
    }

    /// Returns unused space to the file system.
    ///
    /// Errors are ignored.
    func shrink() {
        try? openedWriter().writeWithoutTransaction { database in
            // Each step returns one page.
            let steps = try Row.fetchCursor(database, sql: "PRAGMA incremental_vacuum")
            while try steps.next() != nil {}
            try database.checkpoint(.truncate)
        }
    }

    private func wording<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            // Errors of a running transfer reach the other side, so they must not contain local paths.
            throw Self.worded(error, "store's database", folder)
        }
    }

    private func openedWriter() throws -> any DatabaseWriter {
        try writer.withLock { writer in
            if let writer { return writer }
            let opened = try Self.openWriter(path, isNew: false)
            writer = opened
            return opened
        }
    }
}

extension StoreDatabase {
    private typealias Opened = (reader: any DatabaseReader, writer: (any DatabaseWriter)?)

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return configuration
    }

    /// Opens an existing database; nil if it must be created or migrated.
    private static func open(_ path: String, _ folder: Folder, _ access: StoreAccess) throws -> Opened? {
        do {
            let reader = try openReader(path)
            return try isCurrent(reader, path) ? (reader, nil) : nil
        } catch let error as DatabaseError where access == .reading && isUnwritable(error, folder) {
            return try openUnchanging(path, folder)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A terminated process has left a journal, which only a writer can roll back.
            return nil
        } catch let error as DatabaseError where isFull(error, folder) {
            // Processes share memory through a file beside the database. If there is no space for that file, one process can
            // work without it, as long as it is the only one.
            var configuration = configuration
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try isCurrent(queue, path) ? (queue, queue) : nil
        }
    }

    /// Returns whether SQLite could not open a database because it cannot create the files that it needs even for reading.
    private static func isUnwritable(_ error: DatabaseError, _ folder: Folder) -> Bool {
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR: (try? folder.isWritable()) == false
        default: false
        }
    }

    /// Opens the database of a store that nothing can change, because it is on a read-only disk.
    private static func openUnchanging(_ path: String, _ folder: Folder) throws -> Opened {
        let log = fileName + "-wal"
        guard try !folder.contains(log) || folder.openFile(log, O_RDONLY).size() == 0 else {
            throw RegionStoreError(
                .storage,
                "The database \(path) has unfinished changes, and cannot be written to finish them.",
                remedy: "Open the store once where it can be written, or copy it to such a place."
            )
        }
        var configuration = configuration
        configuration.readonly = true
        let queue = try DatabaseQueue(path: UntrustedDatabase.uri(path, "immutable=1"), configuration: configuration)
        guard try isCurrent(queue, path) else {
            throw RegionStoreError(
                .storage,
                "The database \(path) was written by an older version of this program, and cannot be updated here.",
                remedy: "Open the store once where it can be written, or copy it to such a place."
            )
        }
        return (queue, nil)
    }

    /// Creates a database, or migrates one of an older version.
    private static func make(_ path: String, _ folder: Folder) throws -> Opened {
        // Two processes that open a new store at the same time would both create its tables.
        let lock = try RegionStoreError.mapping("locked", path) { try FileLock(FileLock.name, in: folder, .exclusive) }
        defer { withExtendedLifetime(lock) {} }
        let isNew = FileStatus(path: path).map { $0.size == 0 } ?? true
        let writer = try openWriter(path, isNew: isNew)
        if try !isCurrent(writer, path) { try StoreSchema.migrator.migrate(writer) }
        return (try openReader(path), writer)
    }

    private static func openReader(_ path: String) throws -> DatabasePool {
        var configuration = configuration
        configuration.readonly = true
        return try DatabasePool(path: path, configuration: configuration)
    }

    private static func openWriter(_ path: String, isNew: Bool) throws -> DatabasePool {
        var configuration = configuration
        if isNew {
            configuration.prepareDatabase { database in
                guard !database.configuration.readonly else { return }
                // Lets the database return the space of removed photos. This must be set before the first table is created.
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // A commit that was reported must survive a power cut. Half of the usual pages in memory, 1 MiB, are enough.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -1024")
        }
        return pool
    }

    /// Returns whether a database has all tables of this version.
    private static func isCurrent(_ reader: some DatabaseReader, _ path: String) throws -> Bool {
        let migrator = StoreSchema.migrator
        return try reader.read { database in
            // Also of merged migrations, which `hasBeenSuperseded` would not know.
            let migrations = try migrator.appliedIdentifiers(database)
            guard !migrations.contains(StoreSchema.preReleaseMigration) else {
                throw RegionStoreError(
                    .storage,
                    "\(path) was written by a version of this program before the first release.",
                    remedy: "Export the regions with that version, and import them into a new store."
                )
            }
            guard migrations.isSubset(of: StoreSchema.knownMigrations) else {
                throw RegionStoreError(
                    .storage,
                    "\(path) was written by a newer version of this program.",
                    remedy: "Update the program on this machine."
                )
            }
            return try migrator.hasCompletedMigrations(database)
        }
    }
}

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
        guard let failure = error as? DatabaseError else {
            return RegionStoreError(.storage, "The \(name) cannot be read: \(error).", cause: error)
        }
        let (message, remedy): (String, String?) =
            switch failure.resultCode {
            case _ where isFull(failure, folder):
                ("The disk with the \(name) is full.", "Free some space and try again.")
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                (
                    "The \(name) cannot be written: \(failure.message ?? "permission is denied").",
                    "Check the free space and the permissions, or choose another store."
                )
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (
                    "The \(name) is busy: another process has been writing to it for more than 10 seconds.",
                    "Wait for it to finish and try again."
                )
            case .SQLITE_NOTADB, .SQLITE_CORRUPT:
                (
                    "The \(name) is damaged: \(failure.message ?? "it is not a database").",
                    "Restore it from a backup, or choose another store."
                )
            case .SQLITE_IOERR:
                (
                    "The \(name) cannot be read or written: the disk reports an error.",
                    SystemError(number: EIO).remedy
                )
            default:
                ("The \(name) failed: \(failure.message ?? String(describing: failure.resultCode)).", nil)
            }
        return RegionStoreError(.storage, message, remedy: remedy, cause: error)
    }
}
