import Glibc

/// The error number of a system call that failed.
package struct SystemError: Error, Hashable {
    /// The number, one of those in `errno.h`.
    package var number: CInt

    /// Creates an error.
    package init(number: CInt) {
        self.number = number
    }

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

/// System calls.
///
/// All operations of a storage on its files use this type.
package enum SystemCall {
    /// Makes a call, repeats it while signals interrupt it, and returns its result.
    @discardableResult
    package static func perform<Result: BinaryInteger>(
        _ operation: FileOperation,
        _ path: @autoclosure () -> String,
        _ faults: (any FaultInjector)?,
        _ call: () -> Result
    ) throws(SystemError) -> Result {
        guard let faults else { return try retrying(call) }
        let path = path()
        _ = try faults.begin(operation, path, count: 0)
        let result = try retrying(call)
        faults.end(operation, path)
        return result
    }

    /// Makes a call that transfers up to `count` bytes, repeats it while signals interrupt it, and returns the number of
    /// transferred bytes.
    ///
    /// `call` gets the maximum number of bytes.
    package static func move(
        _ operation: FileOperation,
        _ path: @autoclosure () -> String,
        _ faults: (any FaultInjector)?,
        count: Int,
        _ call: (_ count: Int) -> Int
    ) throws(SystemError) -> Int {
        guard let faults else { return try retrying { call(count) } }
        let path = path()
        let allowed = try faults.begin(operation, path, count: count)
        let result = try retrying { call(allowed) }
        faults.end(operation, path)
        return result
    }

    private static func retrying<Result: BinaryInteger>(_ call: () -> Result) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result != -1 { return result }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }
}

/// A system call of a storage on its files and folders.
package enum FileOperation: String, CaseIterable, Hashable, Sendable {
    /// A file is opened.
    case open
    /// A file is made.
    case create
    /// A folder is made.
    case makeFolder
    /// The entries of a folder are read.
    case list
    /// The size, the time and the kind of a file are read.
    case status
    /// The free space is read.
    case space
    /// A file is locked.
    case lock
    /// Bytes are read.
    case read
    /// Bytes are written.
    case write
    /// Bytes are copied from file to file.
    case copy
    /// The length of a file is set.
    case resize
    /// The time of a file is set.
    case setTime
    /// A file or a folder is made durable.
    case synchronize
    /// Drops cached bytes, so that they are read from the disk when they are next needed.
    case evict
    /// A file gets another name.
    case link
    /// A file gets a new name in place of its old one.
    case rename
    /// A file is removed.
    case removeFile
    /// A folder is removed.
    case removeFolder
}

/// Sees each system call of a storage on its files, and can let it fail.
///
/// Only tests use it.
///
/// Folders pass the injector on to the files that are opened in them.
package protocol FaultInjector: AnyObject, Sendable {
    /// Called before a system call.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - path: The path; for a rename or a link, the new path.
    ///   - count: The number of bytes that the call transfers; 0 if it transfers none.
    /// - Returns: The number of bytes that the call may transfer, at least 1.
    /// - Throws: The error with which the call fails, without being made.
    func begin(_ operation: FileOperation, _ path: String, count: Int) throws(SystemError) -> Int

    /// Called after a system call.
    func end(_ operation: FileOperation, _ path: String)
}

/// An error whose message may be sent to the other side.
public protocol ReportableError: Error {
    /// What went wrong, in words that the person at the other machine understands.
    var reportToPeer: String { get }

    /// Whether the cause is the storage of this machine: a full disk, a missing permission, or a database error.
    var isOfStorage: Bool { get }
}

extension ReportableError {
    /// False.
    public var isOfStorage: Bool { false }
}
