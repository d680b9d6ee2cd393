public import PeerProtocol

/// The list of trusted peers.
public protocol TrustStore: Sendable {
    /// Returns whether a peer is trusted.
    ///
    /// - Parameters:
    ///   - id: The peer's id. Its certificate proves the id; in plain text, the id is only claimed, and a claim of a trusted
    ///     id is refused.
    ///   - name: The display name that the peer has chosen.
    /// - Returns: ``PeerTrust/trusted(name:)`` if the id is pinned, whatever the name; ``PeerTrust/impostor(name:)`` if the
    ///   name belongs to another pinned id; otherwise ``PeerTrust/unknown``.
    /// - Throws: An error if the list cannot be read; the connection then ends.
    func trust(of id: PeerID, callingItself name: String) async throws -> PeerTrust

    /// Adds a peer to the list, after people on both sides have confirmed it.
    ///
    /// - Parameters:
    ///   - id: The peer's id.
    ///   - name: The display name that the peer has chosen.
    /// - Throws: An error if the list cannot be written; the connection then ends.
    func pin(_ id: PeerID, name: String) async throws
}

/// Whether a peer is trusted.
public enum PeerTrust: Hashable, Sendable {
    /// The peer is not trusted yet.
    case unknown
    /// A person has confirmed this peer, which has this name in the list.
    case trusted(name: String)
    /// The peer uses the name of a trusted peer, but has another key: it is another machine, or has a new identity.
    ///
    /// Such a peer is refused without asking a person.
    case impostor(name: String)
}
