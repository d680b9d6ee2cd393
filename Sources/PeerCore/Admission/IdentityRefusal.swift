public import PeerProtocol

/// The refusal of a peer because of the identity that it claims: one message for this side, another for the peer.
struct IdentityRefusal: Error {
    /// For the person at this side.
    var error: PeerError
    /// For the peer; it says less, because a stranger must not learn which peers are trusted.
    var failure: Failure

    /// The peer uses the name of a trusted peer with a different key.
    static func impostor(_ name: String, _ id: PeerID) -> IdentityRefusal {
        IdentityRefusal(
            error: PeerError(
                .notTrusted,
                "The other side is not the “\(name)” that you trust: it has a different key (\(id.short)). It is another "
                    + "“\(name)”, or someone who pretends to be yours. The connection was refused.",
                remedy:
                    "If there are two of that name, give yours another one. If yours has a new machine, forget the old one.",
                cause: ImpostorError(trustedName: name, id: id)
            ),
            failure: Failure(
                code: PeerError.Code.notTrusted.description,
                message: "The other side does not accept this machine under its name.",
                remedy:
                    "Choose another name for this machine. If it has a new identity, ask them to forget the old one."
            )
        )
    }

    /// The peer claims in plain text to be a trusted peer; connections with trusted peers are always encrypted.
    static func plainText(_ name: String) -> IdentityRefusal {
        IdentityRefusal(
            error: PeerError(
                .encryptionMismatch,
                "The other side claims to be your trusted machine “\(name)”, but cannot prove it without encryption. "
                    + "The connection was refused.",
                remedy: "Use encryption on both machines."
            ),
            failure: Failure(
                code: PeerError.Code.encryptionMismatch.description,
                message: "The other side requires encryption.",
                remedy: "Use encryption on this machine, too."
            )
        )
    }
}

extension PeerError {
    /// The peer uses the name of a trusted peer with a different key.
    package static func impostor(_ name: String, _ id: PeerID) -> PeerError { IdentityRefusal.impostor(name, id).error }
}

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
