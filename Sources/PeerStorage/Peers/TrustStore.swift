public import PeerProtocol

/// The list of trusted peers.
///
/// ```swift
/// actor Friends: TrustStore {
///     private var names: [PeerID: String] = [:]
///
///     func trust(of id: PeerID, callingItself name: String) -> PeerTrust {
///         if let friend = names[id] { return .trusted(name: friend) }
///         let taken = names.values.first { PeerName.areAlike($0, name) }
///         return taken.map { .impostor(name: $0) } ?? .unknown
///     }
///
///     func pin(_ id: PeerID, name: String) { names[id] = name }
/// }
/// ```
public protocol TrustStore: Sendable {
    /// Returns whether a peer is trusted.
    ///
    /// A session also asks about an id that no machine has, to find out whether a name belongs to a trusted peer.
    ///
    /// - Parameters:
    ///   - id: The peer's id. Its certificate proves the id; in plain text, the id is only claimed, and a claim of a trusted
    ///     id is refused.
    ///   - name: The display name that the peer has chosen.
    /// - Returns: ``PeerTrust/trusted(name:)`` if the id is pinned, whatever the name; ``PeerTrust/known(name:)`` if it is in the list and
    ///   no person has confirmed it; ``PeerTrust/impostor(name:)`` if the name belongs to another pinned id; otherwise
    ///   ``PeerTrust/unknown``.
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
