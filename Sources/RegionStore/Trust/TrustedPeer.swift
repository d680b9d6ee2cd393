public import FoundationEssentials
public import PeerProtocol

/// A machine whose key a person has confirmed.
public struct TrustedPeer: Hashable, Sendable, Identifiable {
    /// The machine's id, which its key proves.
    public var id: PeerID

    /// What it is called here; no other trusted peer has the name.
    public var name: String

    /// When it was confirmed.
    public var pinnedAt: Date

    /// When it last took part in an encrypted session with this store; nil if it never did.
    public var lastSeenAt: Date?
}
