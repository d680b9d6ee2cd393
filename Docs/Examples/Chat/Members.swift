import ExampleSupport
import NearbyPeers

/// The members of the group on the screen.
struct Members {
    let session: PeerSession

    /// Shows each change, until the session ends.
    func follow(_ events: PeerEvents) async {
        var shown: [PeerID: String] = [:]
        for await event in events {
            switch event {
            case .changed(let peer, _):
                let text = describe(peer)
                if shown.updateValue(text, forKey: peer.id) != text { show(text) }
            case .returned(let peer):
                show("-- \(session.name(of: peer)) is back; lines that were on the way may be lost")
            default: break
            }
        }
    }

    /// Shows everybody of whom the session knows.
    func showAll() {
        for peer in session.peers { show(describe(peer)) }
        if session.peers.isEmpty { show("-- no peer was found") }
    }

    /// A peer, its state, and what makes it trustworthy.
    ///
    /// A member that was introduced is in the group because another member is linked with it; no person has compared digits.
    private func describe(_ peer: SessionPeer) -> String {
        var text = "-- \(peer.displayName): \(words(for: peer.state))"
        guard peer.state == .connected else { return text }
        if let introducer = peer.introducer { text += ", introduced by \(session.name(of: introducer))" }
        if !peer.isVerified { text += ", not verified" }
        return text
    }
}
