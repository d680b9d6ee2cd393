package import PeerProtocol

/// The other side of a transfer, for the history.
package struct TransferPeer: Hashable, Sendable, Codable {
    /// The peer's id; nil if it was not proved.
    package var id: PeerID?

    /// The display name of the peer.
    package var displayName: String

    /// Creates the description of a peer.
    package init(id: PeerID?, displayName: String) {
        self.id = id
        self.displayName = displayName
    }
}
