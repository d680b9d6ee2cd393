/// A peer is refused for who it claims to be: what this side is told, and what the peer is.
struct IdentityRefusal: Error {
    /// For the person at this side.
    var error: PeerError
    /// For the peer; it says less, as a stranger need not know whom we know.
    var failure: Failure

    /// The peer has the name of a trusted one and another key.
    static func impostor(_ name: String, _ id: PeerID) -> IdentityRefusal {
        IdentityRefusal(
            error: PeerError(
                .notTrusted,
                "The other side calls itself “\(name)”, whom you trust, but has another key (\(id.short)). "
                    + "It may be somebody else. The session was refused.",
                remedy: "Ask “\(name)”. If the key is really new, forget the old one (hikeshare peers forget) and pair "
                    + "again. If it is somebody else of that name, rename the one whom you know (hikeshare peers rename)."
            ),
            failure: Failure(
                code: PeerError.Code.notTrusted.description,
                message: "The other side does not take this machine for who it says it is.",
                remedy: "If this machine has a new identity, ask them to forget the old one."
            )
        )
    }

    /// Somebody claims in plain text to be a trusted peer; trusted peers are only ever spoken to encrypted.
    static func plainText(_ name: String) -> IdentityRefusal {
        IdentityRefusal(
            error: PeerError(
                .encryptionMismatch,
                "The other side says that it is “\(name)”, whom you trust, but nothing proves it in plain text. "
                    + "The session was refused.",
                remedy: "Leave out --encryption none on both sides."
            ),
            failure: Failure(
                code: PeerError.Code.encryptionMismatch.description,
                message: "The other side insists on an encrypted session.",
                remedy: "Leave out --encryption none."
            )
        )
    }
}
