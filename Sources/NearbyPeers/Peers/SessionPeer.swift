public import PeerCore

/// A peer of a session: its description of itself, and the state of its link with this machine.
///
/// See <doc:StayingConnected> for an example.
public struct SessionPeer: Hashable, Sendable, Identifiable {
    /// The id, which the peer's certificate proves.
    public var id: PeerID
    /// The name that the peer has chosen; it proves nothing.
    ///
    /// Escape it before you show it.
    public var displayName: String
    /// The operating system, as the peer reports it.
    public var platform: String
    /// The program and its version, as the peer reports them.
    public var software: String
    /// The state of the link with the peer.
    public var state: PeerState
    /// Whether people have compared digits with this peer, now or earlier, or a share link was used.
    public var isVerified: Bool
    /// The member of the group that has introduced the peer; nil if the peer came without an introduction.
    public var introducer: PeerID?
}

/// Why a peer and this machine connect.
///
/// See <doc:Groups> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PeerRelation: Hashable, Sendable {
    /// This machine invites the peer, or uses the peer's share link.
    case invitedByUs
    /// The peer connects without being invited or introduced.
    case invitesUs
    /// A member of the group has introduced the peer; no person was asked.
    case introduced(by: PeerID)
    /// The peer was linked before in this session.
    case returns
}
