import PeerCore

/// The machine at the other end in JSON.
struct PeerPayload: Encodable {
    var id: String
    var name: String
    var address: String
    var encrypted: Bool
    var trustedAs: String?
    var admittedByShareLink: Bool?

    init(_ peer: RemotePeer) {
        id = peer.id.hex
        name = peer.displayName
        address = peer.address
        encrypted = peer.security != .plainText
        if case .trusted(let name) = peer.trust { trustedAs = name }
        if peer.admittedByShareLink { admittedByShareLink = true }
    }
}

extension RemotePeer {
    /// The name and the id: `“Brave Marmot” (3f9a-12cd-07be-55a1)`.
    ///
    /// In plain text, nothing proves the id, so the text says that it is only claimed.
    var title: DisplayText {
        let name: DisplayText = displayName.isEmpty ? "Unnamed machine" : DisplayText(quoting: displayName)
        return security == .plainText ? "\(name) (claims to be \(id.short))" : "\(name) (\(id.short))"
    }

    /// Whether the peer is trusted and has proved its id.
    var isTrusted: Bool {
        if case .trusted = trust { security.certifiedID == id } else { false }
    }

    /// The reason why the peer is accepted without a question, if there is one; or a warning.
    var trustWords: DisplayText {
        // A share link names a key, so this peer is accepted. But it is not the trusted machine whose name it uses.
        if case .impostor(let name) = trust {
            return
                "\(admittedByShareLink ? ", by the share link" : ""), \("NOT your trusted", .alarm) \(DisplayText(quoting: name))"
        }
        if admittedByShareLink { return ", by the share link" }
        guard isTrusted, case .trusted(let name) = trust else { return "" }
        return name == displayName ? ", trusted" : ", trusted as \(DisplayText(quoting: name))"
    }

    /// Whether the connection is encrypted; a loud warning if it is not.
    var securityWords: DisplayText {
        switch security {
        case .encrypted: "encrypted"
        case .plainText: "\("NOT ENCRYPTED", .alarm): anyone on this network can read and change the data"
        }
    }
}
