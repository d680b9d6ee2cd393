public import PeerProtocol

/// The cause of a ``PeerError/Code/notTrusted`` error: a peer used the name of a trusted peer with a different key.
public struct ImpostorError: Error, Hashable, Sendable {
    /// The name of the trusted peer.
    public var trustedName: String
    /// The id that the peer proved, which is not the one of the trusted peer.
    public var id: PeerID

    /// Creates an error.
    public init(trustedName: String, id: PeerID) {
        self.trustedName = trustedName
        self.id = id
    }
}
