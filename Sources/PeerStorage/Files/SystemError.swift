import Glibc

/// The error number of a system call that failed.
package struct SystemError: Error, Hashable {
    /// The number, one of those in `errno.h`.
    package var number: CInt

    package init(number: CInt) { self.number = number }

    /// The meaning of the number, in words that a person without technical knowledge understands.
    package var reason: String {
        switch number {
        case ENOSPC, EDQUOT: "the disk is full"
        case EACCES, EPERM: "permission is denied"
        case EROFS: "the disk is read-only"
        case ENOENT: "it does not exist"
        case EISDIR: "it is a folder"
        case ENOTDIR: "a part of the path is not a folder"
        case ELOOP: "it is a symbolic link"
        case EEXIST: "it exists already"
        case EIO: "the disk reports an error"
        case EMFILE, ENFILE: "too many files are open"
        case EFBIG: "it is too large for this disk"
        case EXDEV: "it is on another disk"
        case ENOSYS, ENOTSUP: "the file system does not support it"
        default: String(cString: strerror(number))
        }
    }

    /// Whether there is no such file or folder.
    package var isOfMissingFile: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether a link failed because the file system has no links, or no more links to this file.
    ///
    /// File systems without links report different errors: FAT `EPERM`, some in user space `ENOSYS`. If two folders count as
    /// different disks, the error is `EXDEV`.
    package var hasNoLinks: Bool { [EPERM, ENOTSUP, EMLINK, ENOSYS, EXDEV].contains(number) }

    /// Whether the cause is that this process may not write there.
    package var deniesWriting: Bool { [EROFS, EACCES, EPERM].contains(number) }

    /// What the person can do; nil if that depends on the operation.
    package var remedy: String? {
        switch number {
        case ENOSPC, EDQUOT: "Free some space and try again."
        case EACCES, EPERM: "Change the permissions, or choose another place."
        case EROFS: "Choose a place that can be written."
        case EMFILE, ENFILE: "Close some programs and try again."
        case EFBIG: "FAT32 has no files of 4 GB or more: use a disk with exFAT or another file system."
        case EIO: "The disk may be failing: back up your data and use another disk."
        default: nil
        }
    }
}
