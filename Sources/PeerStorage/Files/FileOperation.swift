/// A system call of a storage on its files and folders.
package enum FileOperation: String, CaseIterable, Hashable, Sendable {
    case open
    case create
    case makeFolder
    case list
    case status
    case space
    case lock
    case read
    case write
    case copy
    case resize
    case setTime
    case synchronize
    /// Cached bytes are dropped, so that the next read gets those on the disk.
    case evict
    case link
    case rename
    case removeFile
    case removeFolder
}
