package import PeerCore

extension PeerAddress {
    /// Reads `HOST:PORT`, or `HOST` for the usual port of an application, as a person types it.
    package init?(typed text: String, for application: PeerServiceType) {
        if let whole = Self(parsing: text) {
            self = whole
        } else {
            guard let port = application.defaultPort else { return nil }
            self.init(parsing: "\(text):\(port)")
        }
    }
}
