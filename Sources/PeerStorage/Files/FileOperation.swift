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
