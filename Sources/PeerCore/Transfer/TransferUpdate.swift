/// The state of a connection to a peer.
public enum ConnectionState: Hashable, Sendable {
    /// There is no connection: not yet, or no longer.
    case disconnected
    /// The receiver tries the addresses of the sender.
    case connecting
    /// A TCP connection is open; TLS is being established.
    case securing
    /// The two sides agree on a protocol version and say who they are.
    case handshaking
    /// The session is open.
    case connected
}

/// The state of a transfer.
public enum TransferState: Sendable {
    /// Nothing has happened yet.
    case idle
    /// Connected; the sender or its person has not answered the invitation yet.
    case waitingForPeer
    /// People compare these digits; they must be on both screens. Comes after ``waitingForPeer``.
    case pairing(PairingDigits)
    /// The invitation was accepted; the offer is being decided on.
    case connected
    /// Resources cross.
    case transferring(TransferProgress)
    /// The receiver makes everything visible.
    case committing
    /// The receiver has everything and the sender knows.
    case completed(TransferReceipt)
    /// The transfer ended with an error.
    case failed(PeerError)
    /// One of the two sides stopped the transfer.
    case cancelled
}

/// Something that a transfer or its connection did.
public struct TransferUpdate: Sendable {
    /// What happened.
    public enum Event: Sendable {
        /// The connection entered a state.
        case connection(ConnectionState)
        /// The transfer entered a state, or made progress.
        case transfer(TransferState)
    }

    /// Tells the sessions of one sender apart: 1 for the first.
    public var session: Int
    /// The peer; nil until it has said hello.
    public var peer: RemotePeer?
    /// What happened.
    public var event: Event
}

/// The updates of transfers, as an asynchronous sequence with a bounded memory.
///
/// Progress comes at most ten times a second and session. A reader that falls behind loses the oldest updates.
public struct TransferUpdates: AsyncSequence, Sendable {
    /// The way in, handed to a sender or receiver.
    public struct Continuation: Sendable {
        fileprivate let base: AsyncStream<TransferUpdate>.Continuation

        func yield(_ update: TransferUpdate) {
            base.yield(update)
        }

        /// Ends the sequence.
        public func finish() {
            base.finish()
        }
    }

    private let base: AsyncStream<TransferUpdate>

    /// Makes a sequence and its way in.
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
