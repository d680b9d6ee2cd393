import HostNetwork
import PeerStorage

/// The folder in which data are stored, and its disk.
package struct StoreFacts: Hashable, Sendable {
    /// The folder, or the nearest existing folder above it.
    package var path: String
    /// The highest folder on the same disk that is mounted in the same way.
    package var mountPoint: String = "/"
    /// The free space for this user in bytes; nil if it is not known.
    package var free: UInt64?
    /// Whether the disk is mounted read-only.
    package var isReadOnly: Bool = false
    /// Whether this user can write to the folder.
    package var isWritable: Bool = true
    /// The free space in bytes below which nothing is received.
    package var reserve: UInt64 = DiskReserve.size(ofDiskWith: 0)
    /// Whether the disk has room for the names of further files.
    package var hasFreeFiles: Bool = true
    /// Whether other users can change the folder itself.
    package var isOpenToOthers: Bool = false
}
