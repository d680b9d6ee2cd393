import PeerCore

extension PeerBrowser {
    /// Creates a browser for machines that run this program.
    ///
    /// - Parameters:
    ///   - ownID: The id of this machine, which is not reported; nil to report every machine.
    ///   - limit: The duration of the search; a missing Avahi daemon is reported by then.
    /// - Returns: The browser.
    static func nearby(except ownID: PeerID? = nil, within limit: Duration? = nil) -> PeerBrowser {
        PeerBrowser(
            serviceType: .hikeshare,
            ownID: ownID,
            backend: limit.map { AvahiDiscovery(within: $0) } ?? AvahiDiscovery(),
            logger: Software.logger("discovery")
        )
    }
}
