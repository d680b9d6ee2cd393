package import RegionSharing
import RegionStore

extension Report where Self == PlainReport {
    /// Where the page for phones is, what is not on it, and the option that adds that; empty for no option.
    package static func page(
        _ page: PhonePageFacts,
        at addresses: [String],
        naming option: DisplayText = " (--web-personal adds them)"
    ) -> Self {
        let urls = page.address.urls(for: addresses)
        var lines: [DisplayText] = ["On phones, and on laptops without hikeshare, open:  \(urls.first ?? "", .command)"]
        if !page.isOwnNetwork {
            lines.append("The page is not encrypted: others in this network can see what is downloaded.")
        }
        if let leftOut = page.leftOut?.pageWords { lines.append("Not on the page: \(leftOut)\(option)") }
        return Self(
            ["type": "webPage", "urls": urls, "port": page.address.port, "hasPersonal": page.hasPersonal],
            urls.isEmpty
                ? "The page for phones has no address: this laptop is not in a network with IPv4."
                : lines.joined(separator: "\n")
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
