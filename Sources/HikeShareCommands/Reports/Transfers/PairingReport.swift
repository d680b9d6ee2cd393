import PeerCore

/// The digits that two machines show if they do not know each other.
struct PairingReport: Report {
    var session: Int
    var peer: RemotePeer?
    var digits: PairingDigits

    var payloads: [any Encodable & Sendable] {
        [Payload(session: session, peer: peer.map(PeerPayload.init), digits: digits.digits)]
    }

    var text: DisplayText {
        let name: DisplayText = peer.map { $0.title } ?? "the other side"
        return "The screen of \(name) must show the same digits:\n\n\(digits.line)\n"
    }

    private struct Payload: Encodable {
        var type = "pairing"
        var session: Int
        var peer: PeerPayload?
        var digits: String
    }
}
