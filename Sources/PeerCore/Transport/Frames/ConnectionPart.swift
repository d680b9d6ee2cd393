import NIOCore

/// What comes from a connection.
enum InboundPart: Sendable {
    /// The connection is open, and encrypted if that was agreed.
    case opened(ConnectionSecurity)
    /// The two sides cannot agree on encryption.
    case encryptionMismatch(peerWants: PeerWish)
    case frame(Frame)
    case dataHeader(DataHeader)
    /// Bytes of the data frame that began last.
    case data([ByteBuffer])
    /// What came cannot be read; nothing more will be.
    case invalid(ProtocolError)

    enum PeerWish: Sendable {
        case encryption
        case plainText
    }
}

/// What goes to a connection.
enum OutboundPart: Sendable {
    case preface
    case frame(Frame)
    /// A sign of life.
    case ping
    case data(DataHeader, ByteBuffer)
    case file(DataHeader, FileRegion)
}
