package import NIOCore

/// A service found on one interface with one IP version.
package struct PeerSighting: Hashable, Sendable {
    /// Identifies the sighting.
    package var key: String
    /// The instance name.
    package var instanceName: String
    /// The address and port.
    package var address: SocketAddress
    /// The interface on which the service was found, such as `wlan0`; nil if it is unknown.
    package var interfaceName: String?
    /// The announced properties.
    package var info: DiscoveryInfo
    /// Whether a program on this machine has announced it, as the system says.
    package var isLocal: Bool

    package init(
        key: String,
        instanceName: String,
        address: SocketAddress,
        interfaceName: String?,
        info: DiscoveryInfo,
        isLocal: Bool = false
    ) {
        self.key = key
        self.instanceName = instanceName
        self.address = address
        self.interfaceName = interfaceName
        self.info = info
        self.isLocal = isLocal
    }
}

extension PeerSighting {
    /// An event of a search for services.
    package enum Event: Sendable {
        /// A service was found or has changed.
        case seen(PeerSighting)
        /// The sighting with this key is no longer valid.
        case lost(String)
        /// All services that were known at the start have been reported.
        case allForNow
        /// An error occurred; the search continues.
        case failed(PeerError)
    }
}
