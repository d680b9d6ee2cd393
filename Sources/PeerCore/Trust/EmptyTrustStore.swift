/// An empty trust store that stays empty: a person is asked about every peer.
public struct EmptyTrustStore: TrustStore {
    /// Creates a store.
    public init() {}

    /// Returns `PeerTrust.unknown`.
    public func trust(of id: PeerID, callingItself name: String) async -> PeerTrust { .unknown }

    /// Does nothing.
    public func pin(_ id: PeerID, name: String) async {}
}
