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

/// The state of the link between this machine and a peer.
///
/// See <doc:StayingConnected> for an example.
public enum PeerState: Hashable, Sendable {
    /// The first link is being made.
    case connecting(Stage)
    /// The peer is connected: messages, requests and streams are exchanged.
    case connected
    /// The connection was lost at this time; sent messages wait.
    case reconnecting(since: ContinuousClock.Instant)
    /// The link was given up at this time; the peer is retried.
    case unreachable(since: ContinuousClock.Instant)
    /// There is no link, and no attempt to make one.
    case disconnected(DisconnectReason)

    /// A step in making a connection.
    public enum Stage: Hashable, Sendable {
        /// A connection is being opened and encrypted.
        case dialing
        /// The two sides identify themselves and test the connection.
        case handshaking
        /// The other side or this side is asked whether the invitation is welcome.
        case asking
        /// People are comparing these digits on both screens.
        case comparing(PairingDigits)
    }
}

/// Why there is no link with a peer.
///
/// See <doc:StayingConnected> for an example.
public enum DisconnectReason: Hashable, Sendable {
    /// The peer has left and given this reason.
    case left(String)
    /// This machine has left, or has disconnected the peer.
    case leftByUs
    /// The connection was not restored in time.
    case lost
    /// One side refused the link.
    case declined(Refusal)
    /// The link could not be made, or one side broke the protocol.
    case failed(PeerError)
    /// Another program with this machine's key has replaced this one; this one does not reconnect by itself.
    case replaced
}

/// An event of a session.
///
/// See <doc:StayingConnected> for an example.
public enum PeerEvent: Sendable {
    /// A peer's state, name or trust has changed; `before` is nil for a new peer.
    case changed(SessionPeer, before: PeerState?)
    /// A peer is linked again after its link was given up or its program restarted; it is unknown whether messages that were on
    /// the way have arrived.
    case returned(PeerID)
    /// A peer was refused without asking, because it uses the name of a trusted peer with another key; one that is connected and takes
    /// such a name stays connected, and keeps the name before. A trusted peer that takes the name of another one is reported, too, and
    /// has the name under which it is trusted.
    case refused(RemotePeer, PeerError)
    /// A message or a request arrived that this application does not know, knows only in an older version, or cannot read.
    case notUnderstood(message: String, version: Int, from: PeerID)
    /// A message, a request, a stream or a resource of this name arrived, and the application has no reader for it; reported at
    /// most once a minute for each name.
    ///
    /// A message is discarded and a stream refused then. A request and a resource wait for a reader, as long as the peer does.
    case unread(String, from: PeerID)
    /// The links between members of the group (``PeerSession/links``) have changed.
    case linksChanged
    /// The announcement by ``PeerSession/advertise(info:name:)`` was published or renamed, or has failed.
    case announcement(PeerAdvertiserEvent)
    /// The search for peers to invite (``PeerSession/Configuration/invites``) does not work at the moment; it is retried.
    case discoveryFailed(PeerError)
}

/// The events of a session, from the call of ``PeerSession/events()`` on; ends when the session ends.
///
/// If more than 256 events wait for a reader, it loses the oldest of them.
///
/// See <doc:StayingConnected> for an example.
public struct PeerEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = PeerEvent
    /// Reading does not fail.
    public typealias Failure = Never

    let stream: AsyncStream<PeerEvent>

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncStream<PeerEvent>.Iterator { stream.makeAsyncIterator() }
}
