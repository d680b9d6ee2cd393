/// The sender begins to pair: it commits itself to a nonce that it does not show yet.
package struct PairingCommitment: Hashable, Sendable, Codable {
    /// ``PairingNonce/commitment``.
    package var commitment: ContentDigest

    /// Creates a commitment.
    package init(_ commitment: ContentDigest) {
        self.commitment = commitment
    }
}

/// A nonce: first the receiver's, then the sender's, which must be the one that it is committed to.
package struct PairingDisclosure: Hashable, Sendable, Codable {
    /// The nonce.
    package var nonce: PairingNonce

    /// Creates a disclosure.
    package init(_ nonce: PairingNonce) {
        self.nonce = nonce
    }
}
