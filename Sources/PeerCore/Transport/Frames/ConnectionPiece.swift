import NIOCore

/// A received part of the data of a connection.
enum InboundPiece: Sendable {
    /// The connection is open.
    case opened(ConnectionSecurity)
    /// The two sides cannot agree on encryption.
    case encryptionMismatch(peerWants: PeerWish)
    case frame(Frame)
    case dataHeader(DataHeader)
    /// Bytes of the data frame that began last.
    case data([ByteBuffer])
    /// The received bytes are invalid; no piece follows.
    case invalid(ProtocolError)

    enum PeerWish: Sendable {
        case encryption
        case plainText
    }
}

/// A piece to send.
enum OutboundPiece: Sendable {
    case preface
    case frame(Frame)
    /// A sign of life; the promise succeeds when the peer has answered it, and fails if the connection ends before.
    case ping(answered: EventLoopPromise<Void>? = nil)
    case data(DataHeader, ByteBuffer)
    case file(DataHeader, FileRegion)
}
