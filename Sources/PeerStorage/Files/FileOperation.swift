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
