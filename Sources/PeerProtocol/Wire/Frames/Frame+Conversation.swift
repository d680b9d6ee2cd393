/// A sign of life that asks for an answer, and the answer.
package struct Ping: Hashable, Sendable, Codable {
    /// Any number; the pong carries the same.
    package var nonce: UInt32

    package init(nonce: UInt32) { self.nonce = nonce }
}

/// A person at one side stops the transfer, or one side ends the link.
package struct Cancellation: Hashable, Sendable, Codable {
    /// Why, for the person at the other side.
    package var reason: String
    /// On a connection that carries a link: whether the side ends only its links with this peer, while its session goes on; nil
    /// means no.
    package var disconnects: Bool?

    package init(reason: String, disconnects: Bool? = nil) {
        self.reason = reason
        self.disconnects = disconnects
    }

    private enum CodingKeys: CodingKey { case reason, disconnects }

    /// Reads a cancellation; without `disconnects`, that is nil.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        reason = try container.decode(String.self, forKey: .reason)
        disconnects = try container.decodeUnlessMissing(Bool.self, forKey: .disconnects)
    }

    func isWithin(_ limits: ProtocolLimits) -> Bool { reason.utf8.count <= limits.maximumTextLength }
}

/// The sender begins to pair: it commits itself to a nonce that it does not show yet.
package struct PairingCommitment: Hashable, Sendable, Codable {
    /// ``PairingNonce/commitment``.
    package var commitment: ContentDigest

    package init(_ commitment: ContentDigest) { self.commitment = commitment }
}

/// A nonce: first the receiver's, then the sender's, which must be the one that it is committed to.
package struct PairingDisclosure: Hashable, Sendable, Codable {
    /// The nonce.
    package var nonce: PairingNonce

    package init(_ nonce: PairingNonce) { self.nonce = nonce }
}
