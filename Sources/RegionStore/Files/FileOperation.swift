/// A system call of a store on its files and folders.
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
    /// Drops cached bytes, so that they are read from the disk when they are next needed.
    case evict
    case link
    case rename
    case removeFile
    case removeFolder
}
