/// The traffic and the outbox of the link with a peer at one moment, for monitoring.
///
/// ```swift
/// if let statistics = await session.statistics(of: peer) { gauge.record(statistics.bytesWaiting) }
/// ```
public struct PeerStatistics: Hashable, Sendable {
    /// The bytes of messages, requests and streams that were sent, with their headers; what was sent again counts once.
    ///
    /// Resources have connections of their own, and do not count.
    public var bytesSent: UInt64
    /// The bytes of messages, requests and streams that have arrived, with their headers.
    public var bytesReceived: UInt64
    /// The bytes that wait to be sent or to be acknowledged: the outbox.
    public var bytesWaiting: Int
    /// How many connections have carried links with the peer in this session: the first one, and each reconnection.
    public var connectionCount: Int
    /// How long a ping took to the peer and back when the last connection was made, at least 0.1 ms; nil before its answer.
    ///
    /// Both sides are busy with the handshake then, so it may be some milliseconds longer than on an idle connection.
    /// ``PeerSession/roundTrip(to:timeout:)`` measures it now.
    public var roundTrip: Duration?
}
