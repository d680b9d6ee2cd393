import PeerCore

/// The machine at the other end in JSON.
struct PeerPayload: Encodable {
    var id: String
    var name: String
    var address: String
    var encrypted: Bool
    var trustedAs: String?
    var admittedByLink: Bool?

    init(_ peer: RemotePeer) {
        id = peer.id.hex
        name = peer.displayName
        address = peer.address
        encrypted = peer.security != .plainText
        if case .trusted(let name) = peer.trust { trustedAs = name }
        if peer.admittedByLink { admittedByLink = true }
    }
}

extension RemotePeer {
    /// Who it is, in a few words: `“Brave Marmot” (3f9a-12cd-07be-55a1)`.
    ///
    /// In plain text the id is only claimed, and not shown as if it were proved.
    var title: DisplayText {
        let name: DisplayText = displayName.isEmpty ? "Unnamed machine" : DisplayText(quoting: displayName)
        return security == .plainText ? "\(name) (claims to be \(id.short))" : "\(name) (\(id.short))"
    }

    /// Whether this machine knows it for sure.
    var isTrusted: Bool {
        if case .trusted = trust { security.certifiedID == id } else { false }
    }

    /// Why it is believed, if it is.
    var trustWords: DisplayText {
        // A link names the key, whatever its owner calls itself; but the person should not take it for a friend.
        if case .impostor(let name) = trust {
            return "\(admittedByLink ? ", by the link" : ""), NOT your trusted \(DisplayText(quoting: name))"
        }
        if admittedByLink { return ", by the link" }
        guard isTrusted, case .trusted(let name) = trust else { return "" }
        return name == displayName ? ", trusted" : ", trusted as \(DisplayText(quoting: name))"
    }

    /// Whether others can read what is said, in words that cannot be overlooked if they can.
    var securityWords: DisplayText {
        switch security {
        case .encrypted: "encrypted"
        case .plainText: "NOT ENCRYPTED: anyone on this network can read and change the data"
        }
    }
}
