package import PeerProtocol

/// Who is at the other end of a transfer, for the history.
package struct TransferPeer: Hashable, Sendable, Codable {
    /// The peer's id; nil if it was not told.
    package var id: PeerID?

    /// What the peer calls itself.
    package var displayName: String

    /// Creates a partner.
    package init(id: PeerID?, displayName: String) {
        self.id = id
        self.displayName = displayName
    }
}
