/// How a transfer ended.
package enum SessionEnd: Equatable, Sendable {
    /// The receiver has committed everything and the sender knows.
    case completed(Acknowledgement)
    /// The other side said no.
    case declinedByPeer(Refusal)
    /// This side said no.
    case declined(Refusal)
    /// A person at the other side stopped it.
    case cancelledByPeer(Cancellation)
    /// A person at this side stopped it.
    case cancelled(Cancellation)
    /// The other side failed.
    case failedByPeer(Failure)
    /// This side failed.
    case failed(Failure)
    /// The peer broke the protocol.
    case violated(ProtocolError)
    /// The connection ended before the transfer did.
    case connectionLost
}
