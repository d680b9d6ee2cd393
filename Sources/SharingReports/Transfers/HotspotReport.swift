import NetworkManager
import PeerCore
package import RegionSharing

extension MadeNetwork: Report {
    package var payloads: [JSONObject] {
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

    package var text: DisplayText {
        let table = Self.table(credentials.name(for: .hikeshare), credentials.password)
        return ([table] + (hint.map { [$0.typed] } ?? [])).joined(separator: "\n")
    }

    /// The name and the password of a network, below each other.
    package static func table(_ name: String, _ password: String) -> DisplayText {
        Table.render([["Wi-Fi network:", "\(name, .strong)"], ["Password:", "\(password, .strong)"]])
    }

    /// What the network does not do.
    package var hint: Hint? {
        switch plan.addresses {
        case .shared: nil
        case .linkLocal(.noDnsmasq):
            .typed(
                "Laptops can use it. Phones cannot, because dnsmasq is missing:  \("sudo apt install dnsmasq-base", .command)",
                window: "Laptops can use it. Phones cannot, because dnsmasq is missing: install dnsmasq-base."
            )
        case .linkLocal(.uplink(let interface)):
            .typed(
                "Laptops can use it. Phones cannot use it, because this laptop does not share its connection \(interface). To share it, "
                    + "add --share-internet.",
                window:
                    "Laptops can use it. Phones cannot use it, because this laptop does not share its connection \(interface)."
            )
        }
    }
}

extension JoinedNetwork: Report {
    package var payloads: [JSONObject] { [["type": "joined", "network": name, "interface": interface]] }
    package var text: DisplayText { "Joined the Wi-Fi network \(name)." }
}
