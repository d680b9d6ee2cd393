import FoundationEssentials
import GRDBSQLite
import Glibc
import PeerCore

/// A copy of an SQLite file, made so that it is whole even if another program is writing to the original.
///
/// The original is opened for reading only and never changed. The copy is the same byte for byte, unless the original
/// has parts of its content in a write-ahead log: then SQLite makes a copy that has it all.
enum DatabaseSnapshot {
    /// The open copy, and its digests if it had to be read.
    typealias Copy = (file: OpenFile, contents: FileDigester.Result?)

    /// Copies a database into a folder.
    static func take(
        of path: String,
        to name: String,
        in folder: Folder,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> Copy {
        // Opened before SQLite opens it and closed after: closing a file gives up the locks of the whole process on it.
        let source = try open(path)
        defer { withExtendedLifetime(source) {} }
        let header = try DatabaseHeader(of: source, path: path)
        let log = size(path + "-wal")
        var contents: FileDigester.Result?
        if header.isWAL, log != nil {
            // SQLite would let others read it.
            _ = try RegionStoreError.mapping("written", folder.path(of: name)) { () throws(SystemError) in
                try folder.createFile(name)
            }
            try backUp(path, to: folder.path(of: name))
        } else {
            contents = try copy(source, path, isLocked: !header.isWAL, to: name, in: folder, progress: progress)
        }
        let target = try RegionStoreError.mapping("read", folder.path(of: name)) { () throws(SystemError) in
            try folder.openFile(name, O_RDWR)
        }
        guard header.isWAL else { return (target, contents) }
        try leaveWAL(target, folder.path(of: name))
        return (target, nil)
    }

    private static func open(_ path: String) throws -> OpenFile {
        do throws(SystemError) {
            // A pipe must not make us wait for somebody to write to it.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let kind = try file.status().kind
            guard kind == .regular else { throw SystemError(number: kind == .folder ? EISDIR : EINVAL) }
            return file
        } catch {
            switch error.number {
            case ENOENT, ENOTDIR:
                throw RegionStoreError(.notFound, "There is no file \(path).", cause: error)
            case EISDIR:
                throw RegionStoreError(.invalidFile, "\(path) is a folder, not a file.", cause: error)
            case EINVAL:
                throw RegionStoreError(.invalidFile, "\(path) is not a regular file.", cause: error)
            default:
                throw RegionStoreError.storage("read", path, error)
            }
        }
    }

    private static func copy(
        _ source: OpenFile,
        _ path: String,
        isLocked: Bool,
        to name: String,
        in folder: Folder,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> FileDigester.Result? {
        // While a read transaction is open, nobody changes the file. A file in WAL mode that has no log is in nobody's
        // hands, and opening it would make files beside it.
        let database = isLocked ? try ForeignDatabase(path, .live) : nil
        try database?.query("BEGIN")
        try database?.query("SELECT count(*) FROM sqlite_schema")
        defer { withExtendedLifetime(database) {} }
        let target = try RegionStoreError.mapping("written", folder.path(of: name)) { () throws(SystemError) in
            try folder.createFile(name)
        }
        if FileCopy.clone(source, to: target) { return nil }
        return try FileDigester().digest(source, copyingTo: target, path: path, progress: progress)
    }

    /// Lets SQLite copy page by page, log included.
    private static func backUp(_ path: String, to copy: String) throws {
        let source = try ForeignDatabase(path, .live)
        // Opens the log, and says in our words what is wrong if that cannot be done.
        try source.query("SELECT count(*) FROM sqlite_schema")
        var target: OpaquePointer?
        defer { sqlite3_close_v2(target) }
        guard sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK,
            let backup = sqlite3_backup_init(target, "main", source.handle, "main")
        else { throw RegionStoreError(.storage, "\(copy) cannot be written.") }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw source.error(.init(code: code, message: String(cString: sqlite3_errstr(code))))
        }
    }

    /// Marks a copy as not being in WAL mode, so that nobody who reads it makes files beside it.
    private static func leaveWAL(_ file: OpenFile, _ path: String) throws {
        try RegionStoreError.mapping("written", path) { () throws(SystemError) in
            try file.write([1, 1], at: 18)
        }
    }

    private static func size(_ path: String) -> UInt64? {
        FileStatus(path: path)?.size
    }
}
