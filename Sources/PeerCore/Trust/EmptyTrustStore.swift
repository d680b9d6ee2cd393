/// A trust store that is always empty: every peer is unknown.
public struct EmptyTrustStore: TrustStore {
    /// Creates a store.
    public init() {}

    /// Returns `PeerTrust.unknown`.
    public func trust(of id: PeerID, callingItself name: String) async -> PeerTrust { .unknown }

    /// Does nothing.
    public func pin(_ id: PeerID, name: String) async {}
}
