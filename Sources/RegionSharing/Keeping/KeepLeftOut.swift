public import PeerCore
public import RegionStore

/// What a rule has left out of an offer.
public struct KeepLeftOut: Sendable {
    /// The sender.
    public var peer: RemotePeer
    /// The offered region.
    public var region: Region
    /// Why it is left out.
    public var reason: KeepRule.Reason
    /// The kinds that are left out, or whose own edits stay; empty for all.
    public var kinds: Set<ResourceKind>
    /// The ages of the two maps; nil if the map stays for another reason.
    package var ages: MapAges?
}
