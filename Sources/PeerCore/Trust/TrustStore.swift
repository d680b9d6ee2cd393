/// Who is known: the one place where it is decided whether a peer is a friend or a stranger.
public protocol TrustStore: Sendable {
    /// Returns what is known of a peer, whose id its certificate has proved.
    func trust(of id: PeerID) async throws -> PeerTrust
}

/// What is known of a peer.
public enum PeerTrust: Hashable, Sendable {
    /// Nobody has confirmed this peer yet.
    case unknown
    /// A person has confirmed this peer under a name.
    case trusted(name: String)
}

/// A trust store that knows nobody, so that a person is asked about every peer.
public struct EmptyTrustStore: TrustStore {
    /// Creates a store.
    public init() {}

    /// Returns ``PeerTrust/unknown``.
    public func trust(of id: PeerID) async -> PeerTrust { .unknown }
}
