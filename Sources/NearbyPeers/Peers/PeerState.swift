public import PeerCore

/// The state of the link between this machine and a peer.
///
/// See <doc:StayingConnected> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
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
    #if compiler(>=6.3)
    @nonexhaustive
    #endif
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
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum DisconnectReason: Hashable, Sendable {
    /// The peer's session has ended, and the peer has given this reason.
    case left(String)
    /// The peer has ended its link with this machine, and given this reason; its session goes on.
    ///
    /// It refuses this machine until its application invites it.
    case disconnected(String)
    /// This machine has left, or has disconnected the peer.
    case endedByUs
    /// The connection was not restored in time.
    case lost
    /// One side refused the link.
    case declined(Refusal)
    /// The link could not be made, or one side broke the protocol.
    case failed(PeerError)
    /// Another program with this machine's key has replaced this one; this one does not reconnect by itself.
    case replaced
}
