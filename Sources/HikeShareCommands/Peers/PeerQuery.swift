import PeerCore
import RegionStore

/// The peer that a person means: by its name, upper or lower case, or by the start of its id.
///
/// The name of somebody who is trusted means that one and nobody else who announces it.
struct PeerQuery: Hashable, Sendable {
    private static let shortestID = 4

    private let name: String
    private let digits: String
    private let friend: PeerID?

    init(_ text: String, trustedPeers: [TrustedPeer] = []) {
        let friend =
            trustedPeers.first { $0.name.lowercased() == text.lowercased() }
            ?? trustedPeers.first { PeerName.areAlike($0.name, text) }
        self.friend = friend?.id
        name = text.lowercased()
        digits = text.lowercased().filter { $0 != "-" }
    }

    /// Returns those that are meant: those of exactly that name, else those whose id or name begins so.
    func matches(_ peers: [DiscoveredPeer]) -> [DiscoveredPeer] {
        if let friend { return peers.filter { $0.peerID == friend } }
        let exact = peers.filter { $0.displayName.lowercased() == name }
        guard exact.isEmpty else { return exact }
        let byID = peers.filter { peer in
            // Fewer digits are more likely a word.
            digits.utf8.count >= Self.shortestID && peer.peerID?.hex.hasPrefix(digits) == true
        }
        guard byID.isEmpty else { return byID }
        return peers.filter { !name.isEmpty && $0.displayName.lowercased().hasPrefix(name) }
    }
}
