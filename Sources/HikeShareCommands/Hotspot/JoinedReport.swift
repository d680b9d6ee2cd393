import PeerCore

/// The Wi-Fi network that a receiver has joined.
struct JoinedReport: Report {
    var network: String
    var interface: String

    var payloads: [any Encodable & Sendable] { [Payload(network: network, interface: interface)] }
    var text: DisplayText { "Joined the Wi-Fi network \(network)." }

    private struct Payload: Encodable {
        var type = "joined"
        var network: String
        var interface: String
    }
}

/// A link that names the sender's own Wi-Fi network, typed where one can no longer be joined.
struct LinkToHotspot: Error {
    var link: PeerLink
    var network: LinkNetwork
}
