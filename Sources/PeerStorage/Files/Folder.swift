import Glibc

/// An open folder.
///
/// Operations on an open folder cannot be redirected by a rename or a symbolic link.
package final class Folder: Sendable {
    private let file: OpenFile

    /// The path with which the folder was opened.
    package var path: String { file.path }
    /// Sees the system calls on the folder and on the files that are opened in it; nil outside of tests.
    package var faults: (any FaultInjector)? { file.faults }

    /// Opens a folder.
    package init(_ path: String, _ faults: (any FaultInjector)? = nil) throws(SystemError) {
        self.file = try OpenFile(path, O_RDONLY | O_DIRECTORY, faults)
    }

    private init(_ file: OpenFile) { self.file = file }

    /// Creates a folder that only its owner can read, unless it exists.
    package static func make(_ path: String, _ faults: (any FaultInjector)?) throws(SystemError) {
        do throws(SystemError) {
            try SystemCall.perform(.makeFolder, path, faults) { mkdir(path, 0o700) }
        } catch  where error.number == EEXIST {
            return
        }
    }

    /// Returns the path of an entry of the folder.
    package func path(of name: String) -> String { path + "/" + name }

    /// Returns the number of the file system that has the folder.
    package func device() throws(SystemError) -> UInt64 { try file.status().device }

    /// Returns whether another user may create files in the folder.
    package func isOpenToOthers() throws(SystemError) -> Bool { try file.status().isOpenToOthers }

    /// Returns whether this process may create files in the folder.
    package func isWritable() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try perform(.status, ".") { faccessat(file.descriptor, ".", W_OK, AT_EACCESS) }
            return true
        } catch  where error.deniesWriting {
            return false
        }
    }

    /// Opens a folder in this one.
    ///
    /// A missing folder is created; only its owner can read it.
    package func makingFolder(_ name: String) throws(SystemError) -> Folder {
        do throws(SystemError) {
            try perform(.makeFolder, name) { mkdirat(file.descriptor, name, 0o700) }
        } catch  where error.number == EEXIST {
            return try folder(name)
        }
        // A file in a folder whose name is not on the disk would be lost with it.
        try synchronize()
        return try folder(name)
    }

    /// Opens a folder in this one.
    package func folder(_ name: String) throws(SystemError) -> Folder {
        Folder(try OpenFile(name, in: file, O_RDONLY | O_DIRECTORY))
    }

    /// Creates a file, which must not exist.
    ///
    /// Only its owner can read it, unless `mode` says otherwise.
    package func createFile(_ name: String, mode: UInt32 = 0o600) throws(SystemError) -> OpenFile {
        try openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    }

    /// Creates a file without a name, which is gone when it is closed; nil if the file system has no such files.
    package func createUnnamedFile(mode: UInt32 = 0o600) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(".", in: file, Self.withoutName | O_RDWR, mode: mode)
        } catch  where [ENOTSUP, EISDIR, EINVAL, ENOSYS].contains(error.number) {
            return nil
        }
    }

    /// Linux's `O_TMPFILE`, which the importer leaves out.
    private static let withoutName: CInt = 0o20_000_000 | O_DIRECTORY

    /// Gives a file without a name one in this folder, unless the name is in use.
    package func link(_ unnamed: OpenFile, as name: String) throws(SystemError) {
        let path = "/proc/self/fd/\(unnamed.descriptor)"
        try perform(.link, name) { linkat(AT_FDCWD, path, file.descriptor, name, AT_SYMLINK_FOLLOW) }
    }

    /// Opens a file in this folder; never follows a symbolic link.
    package func openFile(_ name: String, _ flags: CInt, mode: UInt32 = 0o600) throws(SystemError) -> OpenFile {
        try OpenFile(name, in: file, flags, mode: mode)
    }

    /// Returns whether the folder has an entry with a name.
    package func contains(_ name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try perform(.status, name) { faccessat(file.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) }
            return true
        } catch  where error.number == ENOENT {
            return false
        }
    }

    /// Returns the size of a regular file in this folder, which this process may open; nil if there is none.
    ///
    /// The file is not opened: closing a file gives up all locks of the process on it, also those of a database.
    ///
    /// - Parameter isForWriting: Whether this process must be able to write to the file.
    package func size(of name: String, isForWriting: Bool) throws(SystemError) -> UInt64? {
        var found: FileStatus?
        do throws(SystemError) {
            try perform(.status, name) {
                found = FileStatus(name, in: file.descriptor)
                return found == nil ? -1 : 0
            }
            try perform(.status, name) {
                faccessat(file.descriptor, name, isForWriting ? R_OK | W_OK : R_OK, AT_EACCESS)
            }
        } catch  where error.number == ENOENT {
            return nil
        }
        guard found?.kind == .regular else { throw SystemError(number: found?.kind == .folder ? EISDIR : ELOOP) }
        return found?.size
    }

    /// Moves a file of another folder here, unless the name is in use.
    package func moveHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        // A rename would replace an existing file, but some file systems have no links.
        do throws(SystemError) {
            try linkHere(name, from: other, as: newName)
            try other.removeFile(name)
        } catch  where error.hasNoLinks {
            if try contains(newName) { throw SystemError(number: EEXIST) }
            try replaceHere(name, from: other, as: newName)
        }
    }

    /// Replaces a file of this folder by another one.
    package func replace(_ name: String, with newer: String) throws(SystemError) {
        try replaceHere(newer, from: self, as: name)
    }

    /// Moves a file of another folder here, and replaces an existing file.
    package func replaceHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try perform(.rename, newName) { renameat(other.file.descriptor, name, file.descriptor, newName) }
    }

    /// Links a file of another folder into this one, unless the name is in use.
    package func linkHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try perform(.link, newName) { linkat(other.file.descriptor, name, file.descriptor, newName, 0) }
    }

    /// Links a file of another folder into this one, or copies it if the file system has no links.
    ///
    /// The file must not change.
    package func hold(_ name: String, of other: Folder, as newName: String) throws(SystemError) {
        do throws(SystemError) {
            try linkHere(name, from: other, as: newName)
        } catch  where error.hasNoLinks {
            // No links on this file system, or too many.
            let source = try other.openFile(name, O_RDONLY)
            let copy = try createFile(newName)
            do throws(SystemError) {
                try FileCopy.copy(source, to: copy, size: try source.size())
            } catch {
                try? removeFile(newName)
                throw error
            }
        }
    }

    /// Removes a file, if it exists.
    package func removeFile(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try perform(.removeFile, name) { unlinkat(file.descriptor, name, 0) }
        } catch  where error.number == ENOENT {
            return
        }
    }

    /// Removes a folder in this one and the files in it.
    ///
    /// - Parameter withFolders: Whether folders in it are removed, too. Elsewhere than in private folders, a person may have made them.
    package func removeFolder(_ name: String, withFolders: Bool = false) throws(SystemError) {
        let inner: Folder
        do throws(SystemError) {
            inner = try folder(name)
        } catch  where error.number == ENOENT {
            return
        }
        // The lock goes last: as long as it has its name, no other process uses what is being removed.
        for name in try inner.names().filter({ $0 != FileLock.name }) + [FileLock.name] {
            do throws(SystemError) {
                try inner.removeFile(name)
            } catch  where withFolders && error.number == EISDIR {
                try inner.removeFolder(name, withFolders: true)
            }
        }
        try removeEmptyFolder(name)
    }

    /// Removes a folder in this one, if it exists; returns false if its lock is held or `isUnneeded` returns false.
    @discardableResult
    package func removeUnusedFolder(
        _ name: String,
        where isUnneeded: (Folder) -> Bool = { _ in true }
    ) throws(SystemError) -> Bool {
        guard try contains(name) else { return true }
        let inner = try folder(name)
        guard let lock = try FileLock(trying: FileLock.name, in: inner, .exclusive), isUnneeded(inner) else {
            return false
        }
        defer { withExtendedLifetime(lock) {} }
        try removeFolder(name, withFolders: true)
        return true
    }

    /// Removes an empty folder in this one, if it exists.
    package func removeEmptyFolder(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try perform(.removeFolder, name) { unlinkat(file.descriptor, name, AT_REMOVEDIR) }
        } catch  where error.number == ENOENT {
            return
        }
    }

    /// Returns the sorted names of all entries of the folder.
    package func names() throws(SystemError) -> [String] {
        var names: [String] = []
        try forEachName { names.append($0) }
        return names.sorted()
    }

    /// Calls `body` with the name of each entry of the folder, in no order.
    package func forEachName(_ body: (_ name: String) -> Void) throws(SystemError) {
        // With a separate descriptor, because reading moves its position, and closedir closes it.
        let descriptor = try SystemCall.perform(.list, path, faults) {
            openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw SystemError(number: errno)
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { body(name) }
        }
        // At the end of the folder, errno is 0. After an error, the list would be incomplete.
        guard errno == 0 else { throw SystemError(number: errno) }
    }

    /// Synchronises the names in this folder to the disk.
    package func synchronize() throws(SystemError) {
        do throws(SystemError) {
            try file.synchronize()
        } catch  where error.number == EINVAL || error.number == EROFS {
            // Some file systems synchronise names themselves, and some are read-only.
            return
        }
    }

    /// Returns the number of bytes that this user may still write to the folder's disk, and the disk's size.
    package func space() throws(SystemError) -> (available: UInt64, total: UInt64) {
        var status = statvfs()
        try SystemCall.perform(.space, path, faults) { fstatvfs(file.descriptor, &status) }
        let unit = UInt64(status.f_frsize)
        return (
            unit.multipliedReportingOverflow(by: UInt64(status.f_bavail)).partialValue,
            unit.multipliedReportingOverflow(by: UInt64(status.f_blocks)).partialValue
        )
    }

    private func perform(
        _ operation: FileOperation,
        _ name: String,
        _ call: () -> CInt
    ) throws(SystemError) {
        try SystemCall.perform(operation, path(of: name), faults, call)
    }
}

extension Folder {
    /// Creates a file that disappears when it is closed, however the process ends.
    ///
    /// It has no name, or has one for a moment if the file system only has files with names.
    package func temporaryFile() throws(SystemError) -> OpenFile {
        if let file = try createUnnamedFile() { return file }
        let name = ".temporary-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let file = try createFile(name)
        try removeFile(name)
        return file
    }
}

extension OpenFile {
    /// Returns a further descriptor of the file, which the caller must close.
    package func duplicate() throws(SystemError) -> CInt {
        try SystemCall.perform(.open, path, faults) { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }
}
