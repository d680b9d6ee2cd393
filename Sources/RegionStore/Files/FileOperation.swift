/// What a store asks of the system for a file or folder of its own.
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
    /// The bytes that are in memory only are read from the disk again when they are next needed.
    case evict
    case link
    case rename
    case removeFile
    case removeFolder
}
