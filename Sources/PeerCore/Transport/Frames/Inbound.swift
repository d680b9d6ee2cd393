import NIOCore

/// What a connection passes on at once: a frame, or some bytes of a `data` frame.
enum Inbound: Sendable {
    /// The connection is open.
    case opened(ConnectionSecurity)
    /// The two sides cannot agree on encryption.
    case encryptionMismatch(peerWants: PeerWish)
    case frame(Frame)
    case dataHeader(DataHeader)
    /// Bytes of the data frame that began last.
    case data([ByteBuffer])
    /// The received bytes are invalid; nothing follows.
    case invalid(ProtocolError)

    enum PeerWish: Sendable {
        case encryption
        case plainText
    }
}

/// What a connection takes at once: a frame, or a `data` frame with its bytes.
enum Outbound: Sendable {
    case preface
    case frame(Frame)
    /// A sign of life; the promise succeeds when the peer has answered it, and fails if the connection ends before.
    case ping(answered: EventLoopPromise<Void>? = nil)
    case data(DataHeader, ByteBuffer)
    case file(DataHeader, FileRegion)
}
