import PeerCore

/// The digits that two machines show if they do not know each other.
struct PairingReport: Report {
    var transfer: Int
    var peer: RemotePeer?
    var digits: PairingDigits

    var payloads: [any Encodable & Sendable] {
        [Payload(transfer: transfer, peer: peer.map(PeerPayload.init), digits: digits.digits)]
    }

    var text: DisplayText {
        let name: DisplayText = peer.map { $0.title } ?? "the other side"
        return "The screen of \(name) must show the same digits:\n\n\(digits.line)\n"
    }

    private struct Payload: Encodable {
        var type = "pairing"
        var transfer: Int
        var peer: PeerPayload?
        var digits: String
    }
}

extension PairingDigits {
    /// The digits on a line of their own, with space between them, so that they are easy to read and to compare.
    var line: DisplayText {
        let groups = text.split(separator: " ").map { $0.map(String.init).joined(separator: " ") }
        return "    \(groups.joined(separator: "   "), .strong)"
    }

    /// The digits above a question about them.
    func above(_ question: DisplayText) -> DisplayText {
        "\n\(line)\n\nDoes the other screen show the same digits? \(question)"
    }
}
