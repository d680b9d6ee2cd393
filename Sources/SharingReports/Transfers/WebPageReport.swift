package import RegionSharing
import RegionStore

/// The address and the content of the page for phones.
package struct WebPageReport: Report {
    /// The addresses, which have a secret; the best first.
    package var urls: [String]
    /// The port.
    package var port: Int
    /// Whether hikes, notes and photos are on the page.
    package var hasPersonal: Bool
    /// The content that receivers get but the page does not have; nil if there is none.
    package var leftOut: DisplayText?
    /// Whether the page is in a Wi-Fi network of this machine's own, which is encrypted.
    package var isOwnNetwork: Bool

    /// Creates the value.
    package init(urls: [String], port: Int, hasPersonal: Bool, leftOut: DisplayText? = nil, isOwnNetwork: Bool) {
        self.urls = urls
        self.port = port
        self.hasPersonal = hasPersonal
        self.leftOut = leftOut
        self.isOwnNetwork = isOwnNetwork
    }

    package var payloads: [JSONObject] {
        [["type": "webPage", "urls": urls, "port": port, "hasPersonal": hasPersonal]]
    }

    package var text: DisplayText { text(naming: " (--web-personal adds them)") }

    /// Where the page is and what is not on it, with the option that adds that; empty for none.
    package func text(naming option: DisplayText) -> DisplayText {
        guard let first = urls.first else {
            return "The page for phones has no address: this laptop is not in a network with IPv4."
        }
        var lines: [DisplayText] = ["On phones, and on laptops without hikeshare, open:  \(first, .command)"]
        if !isOwnNetwork {
            lines.append("The page is not encrypted: others in this network can see what is downloaded.")
        }
        if let leftOut { lines.append("Not on the page: \(leftOut)\(option)") }
        return lines.joined(separator: "\n")
    }
}

extension WebPageReport {
    /// Returns where a page is, at the current addresses of the sender.
    package init(_ page: PhonePageFacts, at addresses: [String]) {
        self.init(
            urls: page.address.urls(for: addresses),
            port: page.address.port,
            hasPersonal: page.hasPersonal,
            leftOut: page.leftOut?.pageWords,
            isOwnNetwork: page.isOwnNetwork
        )
    }
}

extension PhonePageFacts {
    /// Returns the QR codes: that of the machine's own network, if there is one, and that of the page; nil if there are none.
    package func codes(at addresses: [String], _ hotspot: MadeNetwork?) -> QRCodeSheet? {
        guard let url = address.urls(for: addresses).first else { return nil }
        if let hotspot { return hotspot.codes("2. Open the page", url) }
        return QRCode(url).flatMap { QRCodeSheet([QRCodeSheet.Item(caption: "The page, for phones", code: $0)]) }
    }
}
