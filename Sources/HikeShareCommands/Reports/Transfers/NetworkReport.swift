import PeerCore

/// Where a sender can be reached after its network has changed.
struct NetworkReport: Report {
    /// What to do on a machine without a network.
    static let noNetwork: DisplayText =
        "This laptop is not on any network. Join the same Wi-Fi, or plug in a cable."

    var addresses: [String]
    var link: ShareLink?
    var isAdvertised: Bool

    var payloads: [any Encodable & Sendable] { [Payload(addresses: addresses, link: link?.text)] }

    var text: DisplayText {
        guard !addresses.isEmpty else { return Self.noNetwork }
        let commands = ReceiverCommands(addresses: addresses, link: link, isAdvertised: isAdvertised)
        return "The network has changed.\(link == nil ? "" : " The share link is a new one.")\n" + commands.text
    }

    private struct Payload: Encodable {
        var type = "network"
        var addresses: [String]
        var link: String?
    }
}
