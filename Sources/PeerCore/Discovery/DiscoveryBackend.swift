package import NIOCore

/// A way to announce and to find services: Avahi, or memory in tests.
package protocol DiscoveryBackend: Sendable {
    /// Announces a service for as long as `body` runs.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if that cannot be; what `body` throws.
    func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result

    /// Looks for services for as long as `body` runs.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if that cannot be; what `body` throws.
    func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSightingEvent>) async throws -> Result
    ) async throws -> Result
}

/// A service to announce.
package struct PeerAdvertisement: Hashable, Sendable {
    /// The kind of service.
    package var serviceType: PeerServiceType
    /// The name wished for; another one is used if it is taken.
    package var instanceName: String
    /// The port on which the peer listens.
    package var port: Int
    /// What the peer says of itself.
    package var info: DiscoveryInfo

    /// Creates an advertisement.
    package init(serviceType: PeerServiceType, instanceName: String, port: Int, info: DiscoveryInfo) {
        self.serviceType = serviceType
        self.instanceName = instanceName
        self.port = port
        self.info = info
    }
}

/// What happens to an announcement.
public enum PeerAdvertiserEvent: Sendable {
    /// Others can find the peer, under this instance name.
    case published(String)
    /// The name was taken; this one is used from now on.
    case renamed(String)
    /// Others cannot find the peer until it is published again.
    case withdrawn
    /// Announcing failed, and is tried again.
    case failed(PeerError)
}

/// One way in which a service was seen: over one interface and one version of the internet protocol.
package struct PeerSighting: Hashable, Sendable {
    /// Tells this sighting from all others.
    package var key: String
    /// The instance name.
    package var instanceName: String
    /// The address and port.
    package var address: SocketAddress
    /// The interface over which it was seen, such as `wlan0`; nil if that is not known.
    package var interfaceName: String?
    /// What the peer says of itself.
    package var info: DiscoveryInfo

    /// Creates a sighting.
    package init(key: String, instanceName: String, address: SocketAddress, interfaceName: String?, info: DiscoveryInfo)
    {
        self.key = key
        self.instanceName = instanceName
        self.address = address
        self.interfaceName = interfaceName
        self.info = info
    }
}

/// What looking for services reports.
package enum PeerSightingEvent: Sendable {
    /// A service was seen, or is now different.
    case seen(PeerSighting)
    /// A service is no longer there in the way that had this key.
    case lost(String)
    /// Everything that could be known at once has been reported.
    case allForNow
    /// Something went wrong, and is tried again.
    case failed(PeerError)
}
