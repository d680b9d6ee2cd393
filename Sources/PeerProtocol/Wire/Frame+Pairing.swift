/// The sender begins to pair: it commits itself to a nonce that it does not show yet.
public struct PairingCommitment: Hashable, Sendable, Codable {
    /// ``PairingNonce/commitment``.
    public var commitment: ContentDigest

    /// Creates a commitment.
    public init(_ commitment: ContentDigest) {
        self.commitment = commitment
    }
}

/// A nonce: first the receiver's, then the sender's, which must be the one that it is committed to.
public struct PairingDisclosure: Hashable, Sendable, Codable {
    /// The nonce.
    public var nonce: PairingNonce

    /// Creates a disclosure.
    public init(_ nonce: PairingNonce) {
        self.nonce = nonce
    }
}
