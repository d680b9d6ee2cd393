import PeerCore

/// Two machines that do not know one another show the same digits.
struct PairingReport: Report {
    var session: Int
    var peer: RemotePeer?
    var digits: PairingDigits

    var payloads: [any Encodable & Sendable] {
        [Payload(session: session, peer: peer.map(PeerPayload.init), digits: digits.digits)]
    }

    var text: DisplayText {
        let name: DisplayText = peer.map { $0.title } ?? "the other side"
        return "The screen of \(name) must show these digits: \(digits.text)"
    }

    private struct Payload: Encodable {
        var type = "pairing"
        var session: Int
        var peer: PeerPayload?
        var digits: String
    }
}
