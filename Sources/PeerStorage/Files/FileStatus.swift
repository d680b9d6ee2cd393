import Glibc

/// The kind, size and times of a file.
///
/// Several modules declare the C structure `stat`. Where two of them are imported, the name is ambiguous. So only this file
/// uses the structure.
package struct FileStatus: Hashable, Sendable {
    /// The kind of a file.
    package enum Kind: Hashable, Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case folder
        /// A device, a pipe, a socket or a symbolic link.
        case other
    }

    /// The kind of the file.
    package var kind: Kind
    /// The size, in bytes.
    package var size: UInt64
    /// The space that the file occupies on the disk, in bytes; less than ``size`` if the file has holes.
    package var allocatedSize: UInt64
    /// The time of the last modification, in seconds since 1970.
    package var modifiedAt: Int
    /// The time of the last modification, in nanoseconds since 1970, in the resolution of the file system.
    package var modifiedNanoseconds: Int64
    /// The inode number.
    package var number: UInt64
    /// The number of names that the file has.
    package var linkCount: UInt64
    /// The number of the file system.
    package var device: UInt64
    /// Whether another user may change the file: another user (except the superuser) owns it, or its group or all users have
    /// write permission.
    package var isOpenToOthers: Bool

    /// Reads the status of an open file; nil if that fails, with the reason in `errno`.
    package init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of a file, following symbolic links; nil if that fails, with the reason in `errno`.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the status of a file in an open folder, not following a symbolic link; nil if that fails, with the reason in `errno`.
    init?(_ name: String, in folder: CInt) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        self.size = UInt64(max(0, status.st_size))
        // POSIX leaves the unit open; on Linux it is 512 bytes.
        self.allocatedSize = UInt64(max(0, status.st_blocks)).multipliedReportingOverflow(by: 512).partialValue
        self.modifiedAt = status.st_mtim.tv_sec
        // The value wraps for times that are centuries away; it is only compared for equality.
        self.modifiedNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        self.number = UInt64(status.st_ino)
        self.linkCount = UInt64(status.st_nlink)
        self.device = UInt64(status.st_dev)
        self.isOpenToOthers = ![0, geteuid()].contains(status.st_uid) || status.st_mode & (S_IWGRP | S_IWOTH) != 0
        switch status.st_mode & S_IFMT {
        case S_IFREG: self.kind = .regular
        case S_IFDIR: self.kind = .folder
        default: self.kind = .other
        }
    }
}
