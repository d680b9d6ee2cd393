import NetworkManager
import PeerCore

/// The Wi-Fi network that a sender has made.
struct HotspotReport: Report {
    var credentials: ShareLinkNetwork
    var plan: HotspotPlan

    var payloads: [JSONObject] {
        [
            [
                "type": "hotspot",
                "network": credentials.name(for: .hikeshare),
                "password": credentials.password,
                "interface": plan.device.interface,
                "band": plan.channel.band.rawValue,
                "channel": plan.channel.number,
                "givesAddresses": plan.addresses == .shared,
            ]
        ]
    }

    var text: DisplayText {
        let table = Table.render([
            ["Wi-Fi network:", "\(credentials.name(for: .hikeshare), .strong)"],
            ["Password:", "\(credentials.password, .strong)"],
        ])
        return ([table] + (hint.map { [$0] } ?? [])).joined(separator: "\n")
    }

    /// What the network does not do.
    private var hint: DisplayText? {
        switch plan.addresses {
        case .shared: nil
        case .linkLocal(.noDnsmasq):
            "Laptops can use it. Phones cannot, because dnsmasq is missing:  \("sudo apt install dnsmasq-base", .command)"
        case .linkLocal(.uplink(let interface)):
            "Laptops can use it. Phones cannot use it, because this laptop does not share its connection \(interface). To share it, "
                + "add --share-internet."
        }
    }
}

/// The Wi-Fi network that a receiver has joined.
struct JoinedReport: Report {
    var network: String
    var interface: String

    var payloads: [JSONObject] { [["type": "joined", "network": network, "interface": interface]] }
    var text: DisplayText { "Joined the Wi-Fi network \(network)." }
}

/// A share link that names the sender's own Wi-Fi network, typed where one can no longer be joined.
struct ShareLinkToHotspot: Error {
    var link: ShareLink
    var network: ShareLinkNetwork
}
