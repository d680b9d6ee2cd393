import Glibc
import PeerCore

/// A folder that is held open, so that what is done in it cannot be led elsewhere by a rename or a symbolic link.
final class Folder: Sendable {
    let path: String
    private let file: OpenFile

    /// Opens a folder.
    init(_ path: String) throws(SystemError) {
        self.path = path
        self.file = try OpenFile(path, O_RDONLY | O_DIRECTORY)
    }

    private init(path: String, file: OpenFile) {
        self.path = path
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
            try SystemCall.retrying { mkdirat(file.descriptor, name, 0o700) }
        } catch  where error.number == EEXIST {
            return try folder(name)
        }
        try synchronize()
        return try folder(name)
    }

    /// Opens a folder in this one.
    func folder(_ name: String) throws(SystemError) -> Folder {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try SystemCall.retrying { openat(file.descriptor, name, flags, 0) }
        return Folder(path: path(of: name), file: OpenFile(owning: descriptor))
    }

    /// Makes a file that must not be there yet; nobody else can read it, unless `mode` says so.
    func createFile(_ name: String, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        try openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    }

    /// Opens a file in this folder; never follows a symbolic link.
    func openFile(_ name: String, _ flags: CInt, mode: mode_t = 0o600) throws(SystemError) -> OpenFile {
        let flags = flags | O_NOFOLLOW | O_CLOEXEC
        return OpenFile(owning: try SystemCall.retrying { openat(file.descriptor, name, flags, mode) })
    }

    /// Says whether a name is taken.
    func contains(_ name: String) -> Bool {
        faccessat(file.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Moves a file of another folder here, unless the name is taken.
    func moveHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        // A rename would replace what is there; but some file systems have no links.
        do throws(SystemError) {
            try linkHere(name, from: other, as: newName)
            try other.removeFile(name)
        } catch  where error.number == EPERM || error.number == ENOTSUP || error.number == EMLINK {
            if contains(newName) { throw SystemError(number: EEXIST) }
            try SystemCall.retrying { renameat(other.file.descriptor, name, file.descriptor, newName) }
        }
    }

    /// Puts a file of this folder in the place of another one.
    func replace(_ name: String, with newer: String) throws(SystemError) {
        try SystemCall.retrying { renameat(file.descriptor, newer, file.descriptor, name) }
    }

    /// Moves a file of another folder here, in the place of one that may be there.
    func replaceHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try SystemCall.retrying { renameat(other.file.descriptor, name, file.descriptor, newName) }
    }

    /// Makes a file of another folder appear here too, unless the name is taken.
    func linkHere(_ name: String, from other: Folder, as newName: String) throws(SystemError) {
        try SystemCall.retrying { linkat(other.file.descriptor, name, file.descriptor, newName, 0) }
    }

    /// Makes a file of another folder, which nobody changes, stay here whatever happens to the other name.
    func hold(_ name: String, of other: Folder, as newName: String) throws(SystemError) {
        do throws(SystemError) {
            try linkHere(name, from: other, as: newName)
        } catch  where error.number == EPERM || error.number == ENOTSUP || error.number == EMLINK {
            // No links on this file system, or too many.
            let source = try other.openFile(name, O_RDONLY)
            try FileCopy.copy(source, to: try createFile(newName), size: try source.size())
        }
    }

    /// Removes a file; it may be gone already.
    func removeFile(_ name: String) throws(SystemError) {
        do throws(SystemError) {
            try SystemCall.retrying { unlinkat(file.descriptor, name, 0) }
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
        do throws(SystemError) {
            try SystemCall.retrying { unlinkat(file.descriptor, name, AT_REMOVEDIR) }
        } catch  where error.number == ENOENT {
            return
        }
    }

    /// Returns the names of everything in the folder, in order.
    func names() throws(SystemError) -> [String] {
        // A descriptor of its own: reading moves its position, and closedir closes it.
        let descriptor = try SystemCall.retrying {
            openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            throw SystemError(number: errno)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns once the names in this folder are on the disk.
    func synchronize() throws(SystemError) {
        try file.synchronize()
    }

    /// Returns the number of bytes that this user may still write to the folder's disk, and the disk's size.
    func space() throws(SystemError) -> (available: UInt64, total: UInt64) {
        var status = statvfs()
        try SystemCall.retrying { fstatvfs(file.descriptor, &status) }
        let unit = UInt64(status.f_frsize)
        return (
            unit.multipliedReportingOverflow(by: UInt64(status.f_bavail)).partialValue,
            unit.multipliedReportingOverflow(by: UInt64(status.f_blocks)).partialValue
        )
    }
}
