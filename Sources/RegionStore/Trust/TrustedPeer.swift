public import FoundationEssentials
public import PeerProtocol
import PeerStorage
import RegionModel

/// A peer whose key a person has confirmed.
public struct TrustedPeer: Hashable, Sendable, Identifiable {
    /// The id, which the key proves.
    public var id: PeerID

    /// The name of the peer in this store; no other trusted peer has it.
    public var name: String

    /// The time of the confirmation.
    public var pinnedAt: Date

    /// The time of the last encrypted transfer with this store; nil if there was none.
    public var lastSeenAt: Date?
}
