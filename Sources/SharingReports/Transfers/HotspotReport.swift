import NetworkManager
package import PeerCore
package import RegionSharing

extension MadeNetwork: ObjectReport {
    package var json: JSONObject {
        [
            "type": "hotspot",
            "network": credentials.name(for: .hikeshare),
            "password": credentials.password,
            "interface": plan.device.interface,
            "band": plan.channel.band.rawValue,
            "channel": plan.channel.number,
            "givesAddresses": plan.addresses == .shared,
        ]
    }

    package var text: DisplayText {
        let table = Self.table(credentials.name(for: .hikeshare), credentials.password)
        return ([table] + (hint.map { [$0.typed] } ?? [])).joined(separator: "\n")
    }

    /// The name and the password of a network, below each other.
    package static func table(_ name: String, _ password: String) -> DisplayText {
        TextTable.render([["Wi-Fi network:", "\(name, .strong)"], ["Password:", "\(password, .strong)"]])
    }

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

extension JoinedNetwork: ObjectReport {
    package var json: JSONObject { ["type": "joined", "network": name, "interface": interface] }
    package var text: DisplayText { "Joined the Wi-Fi network \(name)." }
}

extension MadeNetwork {
    /// The text that phones and laptops read as a Wi-Fi network from a QR code.
    ///
    /// The form is that of ZXing's documentation, "Barcode Contents". The name and the password have none of the characters that
    /// it escapes.
    package static func wifiText(_ credentials: ShareLinkNetwork) -> String {
        "WIFI:T:WPA;S:\(credentials.name(for: .hikeshare));P:\(credentials.password);;"
    }

    /// The QR codes: the network, and the share link; nil if there is no program for QR codes.
    package func codes(with link: ShareLink) -> QRCodeSheet? { codes("2. The share link, for hikeshare", link.text) }

    /// The QR codes: the network, and a text with a caption; nil if there is no program for QR codes.
    package func codes(_ caption: String, _ text: String) -> QRCodeSheet? {
        guard let wifi = QRCode(Self.wifiText(credentials)), let code = QRCode(text) else { return nil }
        return QRCodeSheet([
            QRCodeSheet.Item(caption: "1. Join the Wi-Fi", code: wifi),
            QRCodeSheet.Item(caption: caption, code: code),
        ])
    }
}
