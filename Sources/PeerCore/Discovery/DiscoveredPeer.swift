public import NIOCore

/// A peer found by a browser.
public struct DiscoveredPeer: Hashable, Sendable, Identifiable {
    /// Tells this peer from all others: its claimed identity, or its instance name if it claims none.
    public var id: String
    /// The name under which it is announced.
    package var instanceName: String
    /// What it says of itself.
    ///
    /// Hints only.
    public var info: DiscoveryInfo
    /// Where it may be reached, in the order in which to try.
    public var addresses: [SocketAddress]
    /// The interfaces over which it was seen.
    package var interfaceNames: [String]

    /// The name to show, to be escaped; says nothing about who it is.
    package var displayName: String { info.displayName ?? instanceName }

    /// The id that it claims; its certificate must prove it.
    public var peerID: PeerID? { info.peerID }
}

/// What a browser reports.
public enum PeerBrowserEvent: Sendable {
    /// A peer appeared.
    case found(DiscoveredPeer)
    /// What a peer announces, or an address of it, changed.
    case changed(DiscoveredPeer)
    /// A peer is no longer announced.
    case lost(DiscoveredPeer.ID)
    /// Everybody who could be found at once has been reported; more may come any time.
    case allForNow
    /// Something went wrong, and is tried again.
    case failed(PeerError)
}
