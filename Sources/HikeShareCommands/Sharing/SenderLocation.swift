import PeerCore

/// Where a sender is.
enum SenderLocation: Sendable {
    /// At an address that a person typed; whoever is there is meant.
    case address(PeerAddress)
    /// A peer that was found; it must be who it says it is.
    case peer(DiscoveredPeer)
}
