/// The state of a transfer.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum TransferState: Sendable {
    /// Nothing has happened yet.
    case idle
    /// The receiver waits for the answer to its invitation.
    case waitingForPeer
    /// People compare these digits with those on the other screen. Follows ``waitingForPeer``.
    case pairing(PairingDigits)
    /// The receiver compares the offer with what it has, which takes longer than a moment. ``connected`` follows.
    case comparing
    /// The invitation was accepted; the receiver decides on the offer.
    ///
    /// A receiver whose invitation has a context gets this twice: when it is accepted, and when the offer that the sender has made
    /// for it has come.
    case connected
    /// The sender serves several receivers over the same network, and this is the place of this one; ``transferring(_:)`` is still
    /// reported.
    case queued(TransferTurn)
    /// Resources are being transferred.
    case transferring(TransferProgress)
    /// The receiver commits the transfer.
    case committing
    /// The receiver has committed the transfer and told the sender.
    case completed(TransferReceipt)
    /// The transfer ended with an error.
    case failed(PeerError)
    /// One of the two sides stopped the transfer.
    case cancelled
}

/// The state of a connection to a peer.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ConnectionState: Hashable, Sendable {
    /// There is no connection.
    case disconnected
    /// The receiver tries the addresses of the sender.
    case connecting
    /// A TCP connection is open; TLS is being established.
    case securing
    /// The two sides negotiate a protocol version and exchange their names.
    case handshaking
    /// The conversation has begun.
    case connected
}
