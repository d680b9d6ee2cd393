import Glibc

/// What a file is, and how long.
///
/// The C structure behind it is declared by more than one module; where two of them are in sight, the compiler no longer
/// knows whose it is. So this is the one place that looks into it.
package struct FileStatus: Hashable, Sendable {
    /// What a file is.
    package enum Kind: Hashable, Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case folder
        /// A device, a pipe, a socket or a symbolic link.
        case other
    }

    /// What the file is.
    package var kind: Kind
    /// How long it is, in bytes.
    package var size: UInt64
    /// How much room it takes on the disk, in bytes; less than ``size`` where it has holes.
    package var allocatedSize: UInt64
    /// When it was written last, in seconds since 1970.
    package var modifiedAt: Int
    /// The same in nanoseconds, as exactly as the file system has it.
    package var modifiedNanoseconds: Int64
    /// The number that the file system knows the file by, under whatever name.
    package var number: UInt64
    /// Whether another user may change it: it is theirs (and not the superuser's), or its group or everybody may write.
    package var isOpenToOthers: Bool

    /// Looks at an open file; nil if that fails, with the reason in `errno`.
    package init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Looks at a file, following symbolic links; nil if that fails, with the reason in `errno`.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        self.size = UInt64(max(0, status.st_size))
        // POSIX leaves the unit open; on Linux it is 512 bytes.
        self.allocatedSize = UInt64(max(0, status.st_blocks)).multipliedReportingOverflow(by: 512).partialValue
        self.modifiedAt = status.st_mtim.tv_sec
        // Times that are centuries away are told apart well enough.
        self.modifiedNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        self.number = UInt64(status.st_ino)
        self.isOpenToOthers = ![0, geteuid()].contains(status.st_uid) || status.st_mode & (S_IWGRP | S_IWOTH) != 0
        switch status.st_mode & S_IFMT {
        case S_IFREG: self.kind = .regular
        case S_IFDIR: self.kind = .folder
        default: self.kind = .other
        }
    }
}
