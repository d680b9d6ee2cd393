package import PeerCore
package import RegionSharing

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
