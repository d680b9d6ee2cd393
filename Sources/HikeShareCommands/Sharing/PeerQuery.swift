import PeerCore

/// The peer that a person means: by its name, upper or lower case, or by the start of its id.
struct PeerQuery: Hashable, Sendable {
    private static let shortestID = 4

    private let name: String
    private let digits: String

    init(_ text: String) {
        name = text.lowercased()
        digits = text.lowercased().filter { $0 != "-" }
    }

    /// Returns those that are meant: those of exactly that name, else those whose id or name begins so.
    func matches(_ peers: [DiscoveredPeer]) -> [DiscoveredPeer] {
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
