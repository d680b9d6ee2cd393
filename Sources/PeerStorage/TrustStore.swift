public import PeerProtocol

/// Who is known: the one place where it is decided whether a peer is a friend or a stranger.
public protocol TrustStore: Sendable {
    /// Returns what is known of a peer.
    ///
    /// - Parameters:
    ///   - id: The peer's id, proved by its certificate. In plain text it is only claimed, and asked about to refuse whoever
    ///     claims a pinned one.
    ///   - name: The name under which the peer wants to be shown.
    /// - Returns: ``PeerTrust/trusted(name:)`` if the id is pinned, whatever the name; ``PeerTrust/impostor(name:)`` if the
    ///   name belongs to another pinned id; else ``PeerTrust/unknown``.
    /// - Throws: If it cannot be found out; the session then ends.
    func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust

    /// Remembers a peer as trusted under a name, after people on both sides have confirmed it.
    ///
    /// - Parameters:
    ///   - id: The peer's id.
    ///   - name: The name that the peer gave itself.
    /// - Throws: If it cannot be remembered; the session then ends.
    func pin(_ id: PeerID, name: String) async throws
}

/// What is known of a peer.
public enum PeerTrust: Hashable, Sendable {
    /// The peer is not trusted yet.
    case unknown
    /// A person has confirmed this peer under a name.
    case trusted(name: String)
    /// The peer calls itself as a trusted one is called, but has another key: somebody else, or a new identity.
    ///
    /// Sessions refuse it by themselves; nobody is asked.
    case impostor(name: String)
}
