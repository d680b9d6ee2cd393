import Glibc
import PeerStorage

/// A folder that is held open, so that what is done in it cannot be led elsewhere by a rename or a symbolic link.
final class Folder: Sendable {
    private let file: OpenFile

    var path: String { file.path }
    var faults: (any FaultInjector)? { file.faults }

    /// Opens a folder.
    init(_ path: String, _ faults: (any FaultInjector)? = nil) throws(SystemError) {
        self.file = try OpenFile(path, O_RDONLY | O_DIRECTORY, faults)
    }

    private init(_ file: OpenFile) {
        self.file = file
    }

    /// Returns the path of something in the folder.
    func path(of name: String) -> String {
        path + "/" + name
    }

    /// Says whether another user may put files into it.
    func isOpenToOthers() throws(SystemError) -> Bool {
        try file.status().isOpenToOthers
    }

    /// Opens a folder in this one, which is made, private, if it is not there.
    func makingFolder(_ name: String) throws(SystemError) -> Folder {
        do throws(SystemError) {
            try perform(.makeFolder, name) { mkdirat(file.descriptor, name, 0o700) }
        } catch  where error.number == EEXIST {
            return try folder(name)
        }
        try synchronize()
        return try folder(name)
    }

    /// Opens a folder in this one.
    func folder(_ name: String) throws(SystemError) -> Folder {
        Folder(try OpenFile(name, in: file, O_RDONLY | O_DIRECTORY))
    }

    /// Makes a file that must not be there yet; nobody else can read it, unless `mode` says so.
    func createFile(_ name: String, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        try openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    }

    /// Opens a file in this folder; never follows a symbolic link.
    func openFile(_ name: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        try OpenFile(name, in: file, flags, mode: mode)
    }

    /// Says whether a name is taken.
    func contains(_ name: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try perform(.status, name) { faccessat(file.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) }
            return true
        } catch  where error.number == ENOENT {
            return false
        }
    }

    /// Moves a file of another folder here, unless the name is taken.
    func moveHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        // A rename would replace what is there; but some file systems have no links.
        do throws(SystemError) {
            try linkHere(name, from: other, as: newName)
            try other.removeFile(name)
        } catch  where error.hasNoLinks {
            if try contains(newName) { throw SystemError(number: EEXIST) }
            try replaceHere(name, from: other, as: newName)
        }
    }

    /// Puts a file of this folder in the place of another one.
    func replace(_ name: String, with newer: String) throws(SystemError) {
        try replaceHere(newer, from: self, as: name)
    }

    /// Moves a file of another folder here, in the place of one that may be there.
    func replaceHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try perform(.rename, newName) { renameat(other.file.descriptor, name, file.descriptor, newName) }
    }

    /// Makes a file of another folder appear here too, unless the name is taken.
    func linkHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try perform(.link, newName) { linkat(other.file.descriptor, name, file.descriptor, newName, 0) }
    }

    /// Makes a file of another folder, which nobody changes, stay here whatever happens to the other name.
    func hold(_ name: String, of other: Folder, as newName: String) throws(SystemError) {
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

    /// Removes a file; it may be gone already.
    func removeFile(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try perform(.removeFile, name) { unlinkat(file.descriptor, name, 0) }
        } catch  where error.number == ENOENT {
            return
        }
    }

    /// Removes a folder in this one and the files in it.
    func removeFolder(_ name: String) throws(SystemError) {
        let inner: Folder
        do throws(SystemError) {
            inner = try folder(name)
        } catch  where error.number == ENOENT {
            return
        }
        for file in try inner.names() {
            try inner.removeFile(file)
        }
        try removeEmptyFolder(name)
    }

    /// Removes a folder in this one, which must be empty; it may be gone already.
    func removeEmptyFolder(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try perform(.removeFolder, name) { unlinkat(file.descriptor, name, AT_REMOVEDIR) }
        } catch  where error.number == ENOENT {
            return
        }
    }

    /// Returns the names of everything in the folder, in order.
    func names() throws(SystemError) -> [String] {
        // A descriptor of its own: reading moves its position, and closedir closes it.
        let descriptor = try SystemCall.perform(.list, path, faults) {
            openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw SystemError(number: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // The end of the folder sets none; half a list would pass for a whole one.
        guard errno == 0 else { throw SystemError(number: errno) }
        return names.sorted()
    }

    /// Returns once the names in this folder are on the disk.
    func synchronize() throws(SystemError) {
        do throws(SystemError) {
            try file.synchronize()
        } catch  where error.number == EINVAL || error.number == EROFS {
            // Some file systems see to names by themselves, and some do not change.
            return
        }
    }

    /// Returns the number of bytes that this user may still write to the folder's disk, and the disk's size.
    func space() throws(SystemError) -> (available: UInt64, total: UInt64) {
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
