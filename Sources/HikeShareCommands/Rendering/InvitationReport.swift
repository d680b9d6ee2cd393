import PeerCore

/// A receiver asks for what is sent.
struct InvitationReport: Report {
    var peer: RemotePeer
    var regionName: String

    var payloads: [any Encodable & Sendable] { [Payload(peer: PeerPayload(peer))] }

    var text: DisplayText {
        "\(peer.title) at \(peer.address) asks for \(regionName); \(peer.securityWords)"
    }

    /// What is asked.
    ///
    /// It names the peer, for other lines may come between.
    var question: DisplayText {
        let name = DisplayText(escaping: peer.displayName).truncated(to: Self.maximumNameWidth)
        return "Send it to \(name) (\(peer.id.short))?"
    }

    private static let maximumNameWidth = 24

    private struct Payload: Encodable {
        var type = "invitation"
        var peer: PeerPayload
    }
}
