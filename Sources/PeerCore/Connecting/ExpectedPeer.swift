package import PeerProtocol

/// The only peer that a connector accepts: the one with an id, the one that a share link names, or the one that is both.
package struct ExpectedPeer: Hashable, Sendable {
    private let id: PeerID?
    private let prefix: PeerIDPrefix?

    /// Creates an expectation; nil if any peer is acceptable.
    package init?(id: PeerID?, prefix: PeerIDPrefix? = nil) {
        guard id != nil || prefix != nil else { return nil }
        self.id = id
        self.prefix = prefix
    }

    /// Returns whether the peer with an id is acceptable.
    package func accepts(_ other: PeerID) -> Bool {
        (id == nil || id == other) && prefix?.matches(other) != false
    }

    /// The start of the id, for people.
    package var short: String { id?.short ?? prefix?.short ?? "" }
}
