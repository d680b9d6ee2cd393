import PeerCore
import RegionStore

/// The invitation of a receiver that asks for the region.
struct InvitationReport: Report {
    var peer: RemotePeer
    var regionName: String
    var personal = PersonalContent()
    var digits: PairingDigits?

    var payloads: [any Encodable & Sendable] { [Payload(peer: PeerPayload(peer), digits: digits?.digits)] }

    var text: DisplayText {
        "\(peer.title) at \(peer.address) asks for \(DisplayText(quoting: regionName)); \(peer.securityWords)\(peer.trustWords)"
    }

    /// The text if no question is asked on this machine.
    ///
    /// The person at the receiver may compare the digits.
    var announcement: DisplayText {
        guard let digits else { return text }
        return "\(text), digits \(digits.text)"
    }

    /// The text above the question.
    var introduction: DisplayText {
        [text, personal.words].compactMap { $0 }.joined(separator: "\n")
    }

    /// The question, which names the peer again because other lines may come between.
    var question: DisplayText {
        let name = DisplayText(quoting: peer.displayName, width: Self.maximumNameWidth)
        let send: DisplayText = "Send it to \(name) (\(peer.id.short))?"
        return digits?.above(send) ?? send
    }

    private static let maximumNameWidth = 24

    private struct Payload: Encodable {
        var type = "invitation"
        var peer: PeerPayload
        var digits: String?
    }
}

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
