public import PeerProtocol

/// Who is at the other end of a transfer, for the history.
public struct TransferPeer: Hashable, Sendable, Codable {
    /// The peer's id; nil if it was not told.
    public var id: PeerID?

    /// What the peer calls itself.
    public var displayName: String

    /// Creates a partner.
    public init(id: PeerID?, displayName: String) {
        self.id = id
        self.displayName = displayName
    }
}
