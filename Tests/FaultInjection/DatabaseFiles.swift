import GRDBSQLite
import Glibc
import PeerTestSupport

/// The layer between SQLite and the files of databases, in which steps can be seen and can go wrong.
///
/// It stands in the place of SQLite's own for the whole process; files that nobody watches do not pass through it.
package enum DatabaseFiles {
    /// Watches the databases in a folder while `body` runs.
    package static func watching<Result>(_ recorder: StepRecorder, _ body: () throws -> Result) rethrows -> Result {
        _ = isRegistered
        watched.withLock { $0[recorder.folder + "/"] = recorder }
        defer { watched.withLock { $0[recorder.folder + "/"] = nil } }
        return try body()
    }

    private static let watched = Locked<[String: StepRecorder]>([:])

    private static func recorder(of path: String) -> StepRecorder? {
        watched.withLock { watched in watched.first { path.hasPrefix($0.key) }?.value }
    }

    // Both live as long as the process and are not changed once SQLite knows them.
    private nonisolated(unsafe) static let real = sqlite3_vfs_find(nil)
    private nonisolated(unsafe) static let methods = makeMethods()

    private static let isRegistered: Bool = {
        guard let real else { return false }
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // What is not replaced is SQLite's own.
        layer.initialize(to: real.pointee)
        layer.pointee.pNext = nil
        layer.pointee.zName = UnsafePointer(strdup("watched"))
        layer.pointee.szOsFile = CInt(WatchedFile.headerLength) + real.pointee.szOsFile
        layer.pointee.xOpen = { _, name, file, flags, outFlags in
            DatabaseFiles.open(name, file, flags, outFlags)
        }
        layer.pointee.xDelete = { _, name, isSynchronized in
            guard let name, let real = DatabaseFiles.real else { return SQLITE_IOERR }
            let path = String(cString: name)
            let recorder = DatabaseFiles.recorder(of: path)
            if let code = recorder?.begin(.delete, path)?.code(of: .delete) { return code }
            let code = real.pointee.xDelete(real, name, isSynchronized)
            if code == SQLITE_OK, isSynchronized != 0 { recorder?.synchronized(folder(of: path)) }
            return code
        }
        return sqlite3_vfs_register(layer, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ flags: CInt,
        _ outFlags: UnsafeMutablePointer<CInt>?
    ) -> CInt {
        guard let real, let file else { return SQLITE_CANTOPEN }
        guard let name, let recorder = recorder(of: String(cString: name)) else {
            return real.pointee.xOpen(real, name, file, flags, outFlags)
        }
        let path = String(cString: name)
        let operation: DatabaseOperation = flags & SQLITE_OPEN_CREATE == 0 ? .open : .create
        file.pointee.pMethods = nil
        if let code = recorder.begin(operation, path)?.code(of: operation) { return code }
        let watched = WatchedFile(file)
        let code = real.pointee.xOpen(real, name, watched.inner, flags, outFlags)
        guard code == SQLITE_OK else { return code }
        // SQLite puts the name of a log or a journal on the disk when it first does so with the file.
        let makesName = operation == .create && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0
        watched.context = .init(recorder: recorder, path: path, makesName: makesName)
        file.pointee.pMethods = methods
        return SQLITE_OK
    }

    fileprivate static func folder(of path: String) -> String {
        path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }

    private static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = 2
        methods.pointee.xClose = { file in
            guard let file else { return SQLITE_IOERR }
            let watched = WatchedFile(file)
            let code = watched.methods.xClose(watched.inner)
            watched.release()
            return code
        }
        methods.pointee.xRead = { file, bytes, count, offset in
            WatchedFile.perform(.read, file) { $0.methods.xRead($0.inner, bytes, count, offset) }
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            WatchedFile.perform(.write, file) { watched in
                watched.methods.xWrite(watched.inner, bytes, count, offset)
            } instead: { watched in
                // Half of it is there when the disk is full.
                _ = watched.methods.xWrite(watched.inner, bytes, count / 2, offset)
            }
        }
        methods.pointee.xTruncate = { file, size in
            WatchedFile.perform(.truncate, file) { $0.methods.xTruncate($0.inner, size) }
        }
        methods.pointee.xSync = { file, flags in
            WatchedFile.perform(.synchronize, file) { watched in
                let code = watched.methods.xSync(watched.inner, flags)
                if code == SQLITE_OK { watched.context?.synchronized() }
                return code
            }
        }
        methods.pointee.xFileSize = { file, size in WatchedFile.pass(file) { $0.methods.xFileSize($0.inner, size) } }
        methods.pointee.xLock = { file, level in WatchedFile.pass(file) { $0.methods.xLock($0.inner, level) } }
        methods.pointee.xUnlock = { file, level in WatchedFile.pass(file) { $0.methods.xUnlock($0.inner, level) } }
        methods.pointee.xCheckReservedLock = { file, result in
            WatchedFile.pass(file) { $0.methods.xCheckReservedLock($0.inner, result) }
        }
        methods.pointee.xFileControl = { file, request, argument in
            WatchedFile.pass(file) { $0.methods.xFileControl($0.inner, request, argument) }
        }
        methods.pointee.xSectorSize = { file in WatchedFile.pass(file) { $0.methods.xSectorSize($0.inner) } }
        methods.pointee.xDeviceCharacteristics = { file in
            WatchedFile.pass(file) { $0.methods.xDeviceCharacteristics($0.inner) }
        }
        methods.pointee.xShmMap = { file, page, size, extends, result in
            WatchedFile.perform(.share, file) { $0.methods.xShmMap($0.inner, page, size, extends, result) }
        }
        methods.pointee.xShmLock = { file, offset, count, flags in
            WatchedFile.pass(file) { $0.methods.xShmLock($0.inner, offset, count, flags) }
        }
        methods.pointee.xShmBarrier = { file in
            guard let file else { return }
            let watched = WatchedFile(file)
            watched.methods.xShmBarrier(watched.inner)
        }
        methods.pointee.xShmUnmap = { file, isDeleted in
            WatchedFile.pass(file) { $0.methods.xShmUnmap($0.inner, isDeleted) }
        }
        return UnsafePointer(methods)
    }
}

/// A file that SQLite has opened through the layer: a header of ours, and SQLite's own file behind it.
private struct WatchedFile {
    /// What is known of the file.
    final class Context {
        let recorder: StepRecorder
        let path: String
        private var makesName: Bool

        init(recorder: StepRecorder, path: String, makesName: Bool) {
            self.recorder = recorder
            self.path = path
            self.makesName = makesName
        }

        func synchronized() {
            recorder.synchronized(path)
            if makesName { recorder.synchronized(DatabaseFiles.folder(of: path)) }
            makesName = false
        }
    }

    /// SQLite's pointer to the methods, and ours to the context.
    static let headerLength = 16

    private let start: UnsafeMutableRawPointer

    init(_ file: UnsafeMutablePointer<sqlite3_file>) {
        start = UnsafeMutableRawPointer(file)
    }

    var inner: UnsafeMutablePointer<sqlite3_file> {
        start.advanced(by: Self.headerLength).assumingMemoryBound(to: sqlite3_file.self)
    }

    var methods: sqlite3_io_methods { inner.pointee.pMethods.pointee }

    private var slot: UnsafeMutablePointer<Unmanaged<Context>?> {
        start.advanced(by: 8).assumingMemoryBound(to: Unmanaged<Context>?.self)
    }

    var context: Context? {
        get { slot.pointee?.takeUnretainedValue() }
        nonmutating set { slot.pointee = newValue.map { Unmanaged.passRetained($0) } }
    }

    func release() {
        slot.pointee?.release()
        slot.pointee = nil
    }

    /// Passes a call on that is no step.
    static func pass(_ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (WatchedFile) -> CInt) -> CInt {
        guard let file else { return SQLITE_IOERR }
        return body(WatchedFile(file))
    }

    /// Passes a call on unless it is to go wrong.
    static func perform(
        _ operation: DatabaseOperation,
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (WatchedFile) -> CInt,
        instead: (WatchedFile) -> Void = { _ in }
    ) -> CInt {
        guard let file else { return SQLITE_IOERR }
        let watched = WatchedFile(file)
        if let context = watched.context, let fault = context.recorder.begin(operation, context.path),
            let code = fault.code(of: operation)
        {
            instead(watched)
            return code
        }
        return body(watched)
    }
}
