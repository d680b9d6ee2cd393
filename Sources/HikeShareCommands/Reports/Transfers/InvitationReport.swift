import PeerCore
import RegionStore

/// A receiver asks for what is sent.
struct InvitationReport: Report {
    var peer: RemotePeer
    var regionName: String
    var personal = PersonalContent()
    var digits: PairingDigits?

    var payloads: [any Encodable & Sendable] { [Payload(peer: PeerPayload(peer), digits: digits?.digits)] }

    var text: DisplayText {
        "\(peer.title) at \(peer.address) asks for \(DisplayText(quoting: regionName)); \(peer.securityWords)\(peer.trustWords)"
    }

    /// What is told where nobody is asked; the person at the other side may be, and looks for the digits here.
    var announcement: DisplayText {
        guard let digits else { return text }
        return "\(text), digits \(digits.text)"
    }

    /// What a person needs to know to answer.
    var introduction: DisplayText {
        [text, personal.words].compactMap { $0 }.joined(separator: "\n")
    }

    /// What is asked.
    ///
    /// It names the peer, for other lines may come between.
    var question: DisplayText {
        let name = DisplayText(quoting: peer.displayName, width: Self.maximumNameWidth)
        let send: DisplayText = "Send it to \(name) (\(peer.id.short))?"
        guard let digits else { return send }
        return "Does the other screen show \(digits.text)? \(send)"
    }

    private static let maximumNameWidth = 24

    private struct Payload: Encodable {
        var type = "invitation"
        var peer: PeerPayload
        var digits: String?
    }
}
