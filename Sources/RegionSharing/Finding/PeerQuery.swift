package import PeerCore
package import RegionStore

/// A text that selects a peer by its name, ignoring case, by the beginning of its id, or by the region that it sends.
///
/// The name of a trusted peer selects only that peer, not another one that announces the name.
package struct PeerQuery: Hashable, Sendable {
    private static let shortestID = 4

    private let name: String
    private let digits: String
    private let friend: PeerID?

    package init(_ text: String, trustedPeers: [TrustedPeer] = []) {
        let friend =
            trustedPeers.first { $0.name.lowercased() == text.lowercased() }
            ?? trustedPeers.first { PeerName.areAlike($0.name, text) }
        self.friend = friend?.id
        name = text.lowercased()
        digits = text.lowercased().filter { $0 != "-" }
    }

    /// Returns the matching peers: those with exactly that name, or else those whose id or name begins with the text, or else
    /// those whose region has the text in its name.
    package func matches(_ peers: [DiscoveredPeer]) -> [DiscoveredPeer] {
        if let friend { return peers.filter { $0.peerID == friend } }
        let exact = peers.filter { $0.displayName.lowercased() == name }
        guard exact.isEmpty else { return exact }
        let byID = peers.filter { peer in
            // A shorter text is more likely a word than the beginning of an id.
            digits.utf8.count >= Self.shortestID && peer.peerID?.hex.hasPrefix(digits) == true
        }
        guard byID.isEmpty else { return byID }
        guard !name.isEmpty else { return [] }
        let byName = peers.filter { $0.displayName.lowercased().hasPrefix(name) }
        guard byName.isEmpty else { return byName }
        return peers.filter { $0.info.regionName?.lowercased().contains(name) == true }
    }
}
