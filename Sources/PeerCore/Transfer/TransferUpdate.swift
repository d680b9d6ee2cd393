/// The state of a connection to a peer.
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

/// The state of a transfer.
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
    /// The sender serves several receivers over the same network, and this is the place of this one; ``transferring(_:)`` goes on.
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

/// A change of a transfer or its connection.
public struct TransferUpdate: Sendable {
    /// The kind of a change.
    public enum Event: Sendable {
        /// The connection entered a state.
        case connection(ConnectionState)
        /// The transfer entered a state, or made progress.
        case transfer(TransferState)
    }

    /// The number of the transfer: 1 for the first of a sender.
    ///
    /// In the log, it is the number of the connection.
    public var transfer: Int
    /// The peer; nil until its hello has arrived.
    public var peer: RemotePeer?
    /// What happened.
    public var event: Event
}

/// An asynchronous sequence of updates, with a bounded buffer.
///
/// Each transfer reports progress at most ten times per second. If a reader is slow, the oldest updates are dropped.
public struct TransferUpdates: AsyncSequence, Sendable {
    /// The input of the sequence; pass it to a sender or a receiver.
    public struct Continuation: Sendable {
        fileprivate let base: AsyncStream<TransferUpdate>.Continuation?
        private let observe: @Sendable (TransferUpdate) -> Void

        fileprivate init(base: AsyncStream<TransferUpdate>.Continuation) {
            (self.base, observe) = (base, { _ in })
        }

        /// Creates an input that shows each update to `observe` before it passes it on, if to anything.
        init(to other: Continuation?, observe: @escaping @Sendable (TransferUpdate) -> Void) {
            (base, self.observe) = (other?.base, observe)
        }

        func yield(_ update: TransferUpdate) {
            observe(update)
            base?.yield(update)
        }

        /// Ends the sequence.
        public func finish() {
            base?.finish()
        }
    }

    private let base: AsyncStream<TransferUpdate>

    /// Creates a sequence and its input.
    public static func makeStream() -> (updates: TransferUpdates, continuation: Continuation) {
        let (base, continuation) = AsyncStream.makeStream(
            of: TransferUpdate.self,
            bufferingPolicy: .bufferingNewest(256)
        )
        return (TransferUpdates(base: base), Continuation(base: continuation))
    }

    /// Returns an iterator over the updates.
    public func makeAsyncIterator() -> AsyncStream<TransferUpdate>.Iterator {
        base.makeAsyncIterator()
    }
}
