public import PeerCore

/// An event of a session.
///
/// See <doc:StayingConnected> for an example.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum PeerEvent: Sendable {
    /// A peer's state, name or trust has changed; `before` is nil for a new peer.
    case changed(SessionPeer, before: PeerState?)
    /// A peer is linked again after its link was given up or its program restarted; it is unknown whether messages that were on
    /// the way have arrived.
    case returned(PeerID)
    /// A peer was refused without asking, because it uses the name of a trusted peer with another key; one that is connected and
    /// takes such a name stays connected, and keeps the name before. A trusted peer that takes the name of another one is reported,
    /// too, and has the name under which it is trusted.
    case refused(RemotePeer, PeerError)
    /// A message or a request arrived that this application does not know, knows only in an older version, or cannot read.
    case notUnderstood(message: String, version: Int, from: PeerID)
    /// A message, a request, a stream or a resource of this name arrived, and the application has no reader for it; reported at
    /// most once a minute for each name.
    ///
    /// A message is discarded and a stream refused then; messages that come before their first reader wait for it before that, for
    /// ``BufferLimits/readerPatience``. A request and a resource wait for a reader, as long as the peer does.
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
