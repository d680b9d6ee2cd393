import FoundationEssentials
import GRDBSQLite
import Glibc
import MapFiles
import PeerStorage
import RegionModel

/// A consistent copy of an SQLite file, even if another program is writing to the original.
///
/// The original is opened read-only and never changed, and no file is left beside it. The copy has the same bytes, unless the
/// original has a write-ahead log, or a journal of a program that was killed. Then the copy includes the log, or is what the
/// file was before that program began to write.
enum DatabaseSnapshot {
    /// The open copy, and its digests if it had to be read.
    typealias Copy = (file: OpenFile, contents: FileDigester.Result?)

    /// Copies a database into a folder.
    static func take(
        of path: String,
        to name: String,
        in folder: Folder,
        _ work: ImportWork,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> Copy {
        if let taken = try taken(path, as: name, in: folder, work) { return taken }
        for attempt in 1...maximumAttempts {
            if attempt > 1 {
                try removeCopy(name, from: folder)
            }
            // Opened before SQLite opens it and closed after: closing a file gives up the locks of the whole process on it.
            let source = try open(path)
            defer { withExtendedLifetime(source) {} }
            let database = Source(file: source, path: path, realPath: realPath(path), work: work)
            if let copy = try take(of: database, to: name, in: folder, progress: progress) { return copy }
        }
        throw RegionStoreError(
            .storage,
            "\(path) keeps being changed by another program.",
            remedy: "Close that program and try again."
        )
    }

    /// Takes a database that belongs to the store instead of a copy; nil if it must be copied.
    private static func taken(_ path: String, as name: String, in folder: Folder, _ work: ImportWork) throws -> Copy? {
        // SQLite completes the changes beside a file in a copy.
        guard Companion.allCases.allSatisfy({ FileStatus(path: path + $0.rawValue) == nil }),
            let file = work.take(path, as: name, in: folder)
        else { return nil }
        if try DatabaseHeader(of: file, path: path).isWAL { try leaveWAL(file, folder.path(of: name)) }
        return (file, nil)
    }

    /// The number of attempts to copy a file that changes meanwhile.
    private static let maximumAttempts = 4

    /// A database to copy.
    struct Source {
        var file: OpenFile
        /// The name in messages.
        var path: String
        /// The path without symbolic links, because SQLite keeps a log beside the real file.
        var realPath: String
        var work: ImportWork

        var hasLog: Bool { has(.log) }

        var version: Version { get throws { try Version(of: file, path) } }

        func has(_ companion: Companion) -> Bool { FileStatus(path: realPath + companion.rawValue) != nil }
    }

    /// A file that SQLite keeps beside a database.
    enum Companion: String, CaseIterable {
        /// What was written and is not yet in the database.
        case log = "-wal"
        /// What processes share that use the log.
        case index = "-shm"
        /// What the database was before a change.
        case journal = "-journal"
    }

    /// Copies a database; returns nil if it has changed meanwhile.
    private static func take(
        of source: Source,
        to name: String,
        in folder: Folder,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> Copy? {
        let header = try DatabaseHeader(of: source.file, path: source.path)
        var contents: FileDigester.Result?
        if header.isWAL, source.hasLog {
            // Without the index, no program uses the file, and reading it would create the index.
            guard source.has(.index) else { return try mend(source, with: .log, to: name, in: folder) }
            // SQLite would create a file that others can read.
            _ = try RegionStoreError.mapping("written", folder.path(of: name)) { try folder.createFile(name) }
            do {
                try backUp(source, to: folder.path(of: name))
            } catch let error as RegionStoreError where needsWriting(error) {
                try removeCopy(name, from: folder)
                return try mend(source, with: .log, to: name, in: folder)
            }
        } else {
            let before = try header.isWAL ? settledVersion(of: source.file, source.path) : source.version
            do {
                contents = try copy(source, isLocked: !header.isWAL, to: name, in: folder, progress: progress)
            } catch let error as RegionStoreError where needsWriting(error) && source.has(.journal) {
                return try mend(source, with: .journal, to: name, in: folder)
            }
            // No lock keeps a program from opening a file in WAL mode, writing to it and closing it again.
            guard try source.version == before, !(header.isWAL && source.hasLog) else { return nil }
        }
        let target = try RegionStoreError.mapping("read", folder.path(of: name)) { try folder.openFile(name, O_RDWR) }
        guard header.isWAL else { return (target, contents) }
        try leaveWAL(target, folder.path(of: name))
        return (target, nil)
    }

    /// Shows whether a file was written to.
    struct Version: Equatable {
        var size: UInt64
        var modifiedNanoseconds: Int64

        init(of file: OpenFile, _ path: String) throws {
            let status = try RegionStoreError.mapping("read", path) { try file.status() }
            size = status.size
            modifiedNanoseconds = status.modifiedNanoseconds
        }

        func check(_ file: OpenFile, _ path: String) throws {
            guard try Version(of: file, path) != self else { return }
            throw RegionStoreError(
                .storage,
                "\(path) was changed by another program while it was read.",
                remedy: "Close that program and try again."
            )
        }
    }

    /// Waits until another write would change the time of a file, and returns the version of the file.
    ///
    /// File systems have coarse clocks: two writes in one tick leave the same time.
    static func settledVersion(of file: OpenFile, _ path: String) throws -> Version {
        let found = try Version(of: file, path)
        let age = Date().timeIntervalSince1970 - Double(found.modifiedNanoseconds) / 1e9
        guard (0..<Double(longestTick) / 1e9).contains(age) else { return found }
        usleep(UInt32(longestTick / 1000))
        return try Version(of: file, path)
    }

    /// A tick of the slowest clock that Linux gives file systems with fine times, twice, in nanoseconds.
    private static let longestTick: Int64 = 20_000_000

    /// Follows symbolic links; returns the path as it is if that is not possible, or leads to a name that is not UTF-8.
    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(validatingCString: resolved) ?? path
    }

    static func open(_ path: String) throws -> OpenFile {
        do throws(SystemError) {
            // Opening a pipe must not wait for a writer.
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
        _ source: Source,
        isLocked: Bool,
        to name: String,
        in folder: Folder,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) throws -> FileDigester.Result? {
        // While a read transaction is open, the file does not change. Opening a file in WAL mode that has no log would make
        // files beside it.
        let database = isLocked ? try liveDatabase(source) : nil
        try database?.query("BEGIN")
        try database?.query("SELECT count(*) FROM sqlite_schema")
        defer { withExtendedLifetime(database) {} }
        let target = try RegionStoreError.mapping("written", folder.path(of: name)) { try folder.createFile(name) }
        if FileCopy.clone(source.file, to: target) { return nil }
        return try FileDigester(isStopped: source.work.isCancelled).digest(
            source.file,
            copyingTo: target,
            path: source.path,
            progress: progress
        )
    }

    /// Lets SQLite copy page by page, log included.
    private static func backUp(_ original: Source, to copy: String) throws {
        let source = try liveDatabase(original)
        // Opens the log, and says in our words what is wrong if that cannot be done.
        try source.query("SELECT count(*) FROM sqlite_schema")
        var target: OpaquePointer?
        defer { sqlite3_close_v2(target) }
        guard sqlite3_open_v2(copy, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK,
            let backup = sqlite3_backup_init(target, "main", source.handle, "main")
        else { throw RegionStoreError(.storage, "\(copy) cannot be written.") }
        // The first step only looks. A log can state any number of pages, which would fill the disk.
        var code = sqlite3_backup_step(backup, 0)
        let pageSize = try DatabaseHeader(of: original.file, path: original.path).pageSize
        let size = UInt64(clamping: sqlite3_backup_pagecount(backup)) * pageSize
        let isPlausible = try size <= largestSize(of: original, with: .log)
        if code == SQLITE_OK, isPlausible { code = sqlite3_backup_step(backup, -1) }
        sqlite3_backup_finish(backup)
        guard isPlausible else { throw damagedCompanion(original, .log) }
        guard code == SQLITE_DONE else {
            throw source.error(.init(code: code, message: String(cString: sqlite3_errstr(code))))
        }
    }

    /// Marks a copy as not being in WAL mode, so that reading it creates no files beside it.
    static func leaveWAL(_ file: OpenFile, _ path: String) throws {
        try RegionStoreError.mapping("written", path) { try file.write([1, 1], at: 18) }
    }

    private static func liveDatabase(_ source: Source) throws -> UntrustedDatabase {
        try UntrustedDatabase(
            source.realPath,
            .live,
            called: source.path,
            within: source.work.limits(.thorough(size: try source.version.size)),
            isCancelled: source.work.isCancelled
        )
    }
}
