import NetworkManager
import PeerCore

/// The Wi-Fi network that a sender has made.
struct OwnHotspot: Sendable {
    /// Its name and its password.
    var credentials: ShareLinkNetwork
    /// The network itself.
    var network: TemporaryNetwork
    /// Whether this machine gives addresses to others in the network.
    var givesAddresses: Bool

    /// The name.
    var name: String { credentials.name(for: .hikeshare) }

    /// Returns the IPv4 address of this machine in the network, which phones need.
    ///
    /// - Throws: ``CommandError`` if there is none.
    func requireIPv4() throws -> String {
        guard let address = network.hosts.filter({ !$0.contains(":") }).min() else {
            throw CommandError(
                .network,
                "The Wi-Fi network \(name) has no IPv4 address, which phones need to open the page.",
                remedy: "Send again without --web."
            )
        }
        return address
    }

    /// The text that phones and laptops read as a Wi-Fi network from a QR code.
    ///
    /// The form is that of ZXing's documentation, "Barcode Contents". The name and the password have none of the characters that
    /// it escapes.
    static func wifiText(_ credentials: ShareLinkNetwork) -> String {
        "WIFI:T:WPA;S:\(credentials.name(for: .hikeshare));P:\(credentials.password);;"
    }

    /// Waits until another program ends the network.
    ///
    /// - Throws: ``CommandError`` when it has ended. Nothing if the task was cancelled.
    func throwAtItsEnd() async throws {
        await network.waitForEnd()
        guard !Task.isCancelled else { return }
        throw CommandError(
            .network,
            "The Wi-Fi network \(name) has ended, because another program has changed the Wi-Fi, or it was switched off.",
            remedy: "Send again with --hotspot. Receivers keep their partial files and resume."
        )
    }

    /// The QR codes: the network, and the share link; nil if there is no program for QR codes.
    func codes(with link: ShareLink) -> QRCodeSheet? { codes("2. The share link, for hikeshare", link.text) }

    /// The QR codes: the network, and a text with a caption; nil if there is no program for QR codes.
    func codes(_ caption: String, _ text: String) -> QRCodeSheet? {
        guard let wifi = QRCode(Self.wifiText(credentials)), let code = QRCode(text) else { return nil }
        return QRCodeSheet([
            QRCodeSheet.Item(caption: "1. Join the Wi-Fi", code: wifi),
            QRCodeSheet.Item(caption: caption, code: code),
        ])
    }

    /// Returns addresses with those of this network first.
    func sorted(_ addresses: [String]) -> [String] {
        let own = network.hosts
        func isOwn(_ text: String) -> Bool {
            guard let host = PeerAddress(parsing: text)?.host else { return false }
            return own.contains(host) || host.hasSuffix("%" + network.interface)
        }
        return addresses.filter(isOwn) + addresses.filter { !isOwn($0) }
    }
}
