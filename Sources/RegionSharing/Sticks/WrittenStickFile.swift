public import FoundationEssentials
import PeerCore
public import RegionStore

/// A region that was written to a stick.
public struct WrittenStickFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The size of the file in bytes; nil if it is not known.
    public var size: UInt64?
    /// The region.
    public var regionID: UUID
    /// The name of the region.
    public var regionName: String
    /// For whom it is foreign; nil if it is for anyone.
    public var recipient: StickRecipient?
    /// The secret with which anyone can open it; nil if it is for one machine.
    public var secret: StickSecret?
}
