import PeerCore

/// Where a sender is.
enum SenderLocation: Sendable {
    /// At an address that a person typed; whoever is there is meant.
    case address(PeerAddress)
    /// A peer that was found; it must be who it says it is.
    case peer(DiscoveredPeer)
    /// The sender that a link names, and no other.
    case link(PeerLink)

    /// The secret that lets this machine in; nil without a link.
    var token: LinkToken? {
        if case .link(let link) = self { link.token } else { nil }
    }
}
