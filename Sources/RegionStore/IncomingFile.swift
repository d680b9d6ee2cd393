package import FoundationEssentials
package import PeerProtocol
import PeerStorage
import RegionModel

/// The received part of a file.
package struct IncomingFile: Hashable, Sendable {
    /// The digest of the complete file.
    package var digest: ContentDigest
    /// The region in whose transfer the file was received.
    package var regionID: UUID
    /// The name that the sender uses for the region.
    ///
    /// Escape it before you show it.
    package var regionName: String
    /// The kind of the file.
    package var kind: ResourceKind
    /// The size of the complete file, in bytes.
    package var size: UInt64
    /// The approximate number of received bytes.
    ///
    /// The next transfer checks which of them are valid.
    package var byteCount: UInt64
    /// The time of the last write.
    package var lastArrival: Date
    /// Whether a transfer is using the file now.
    package var isArriving: Bool
}
