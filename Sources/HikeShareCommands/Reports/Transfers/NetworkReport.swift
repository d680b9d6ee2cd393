import PeerCore

/// Where a sender can be reached after its network has changed.
struct NetworkReport: Report {
    /// What to do on a machine without a network.
    static let noNetwork: DisplayText =
        "This laptop is not on any network. Join the same Wi-Fi, or plug in a cable."

    var addresses: [String]
    var link: PeerLink?

    var payloads: [any Encodable & Sendable] { [Payload(addresses: addresses, link: link?.text)] }

    var text: DisplayText {
        guard let first = addresses.first else { return Self.noNetwork }
        // Brackets mean something to a shell.
        let word: DisplayText = first.hasPrefix("[") ? "'\(first)'" : "\(first)"
        var lines: [DisplayText] = [
            "The network has changed. On the other machine:  hikeshare receive --connect \(word)"
        ]
        if let link { lines += ["or, with the new link:  hikeshare receive -", "\(link.text)"] }
        return lines.joined(separator: "\n")
    }

    private struct Payload: Encodable {
        var type = "network"
        var addresses: [String]
        var link: String?
    }
}
