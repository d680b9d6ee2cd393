public import PeerCore
public import RegionStore

/// A search for a sender.
public struct SenderSearch: Hashable, Sendable {
    /// What selects the sender: a name, the start of an id, or a region; nil for any sender.
    public var query: String?
    /// Who was chosen before and refuses connections.
    public var refusing: DiscoveredPeer?
    /// The trusted machines, whose names here count.
    public var trustedPeers: [TrustedPeer]
    /// The time limit; nil for none.
    public var timeout: Duration?

    package init(
        query: String? = nil,
        after refusing: DiscoveredPeer? = nil,
        trustedPeers: [TrustedPeer] = [],
        timeout: Duration? = nil
    ) {
        (self.query, self.refusing, self.trustedPeers, self.timeout) = (query, refusing, trustedPeers, timeout)
    }
}
