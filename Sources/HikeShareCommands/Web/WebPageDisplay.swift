/// What the screen of a sender says of the page for phones.
struct WebPageDisplay: Sendable {
    var address: WebAddress
    /// Whether hikes, notes and photos are on the page.
    var hasPersonal: Bool
    /// What is sent to receivers and not on the page; nil for nothing.
    var leftOut: DisplayText?
    var isOwnNetwork: Bool

    /// Returns where the page is, at the current addresses of the sender.
    func report(at addresses: [String]) -> WebPageReport {
        WebPageReport(
            urls: address.urls(for: addresses),
            port: address.port,
            hasPersonal: hasPersonal,
            leftOut: leftOut,
            isOwnNetwork: isOwnNetwork
        )
    }

    /// Returns the QR codes: that of the machine's own network, if there is one, and that of the page; nil if there are none.
    func codes(at addresses: [String], _ hotspot: OwnHotspot?) -> QRCodeSheet? {
        guard let url = address.urls(for: addresses).first else { return nil }
        if let hotspot { return hotspot.codes("2. Open the page", url) }
        return QRCode(url).flatMap { QRCodeSheet([QRCodeSheet.Item(caption: "The page, for phones", code: $0)]) }
    }
}
