package import NIOCore

/// A way to announce and to find services: Avahi, or memory in tests.
package protocol DiscoveryBackend: Sendable {
    /// Announces a service while `body` runs.
    ///
    /// If discovery does not work at the moment, that is an event, and the service is announced as soon as it works.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if the service can never be announced; the error of
    ///   `body`.
    func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result

    /// Searches for services while `body` runs.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if discovery does not work; the error of `body`.
    func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSightingEvent>) async throws -> Result
    ) async throws -> Result
}

/// A service to announce.
package struct PeerAdvertisement: Hashable, Sendable {
    /// The kind of service.
    package var serviceType: PeerServiceType
    /// The preferred name.
    ///
    /// If it is in use, a number is added.
    package var instanceName: String
    /// The port on which the peer listens.
    package var port: Int
    /// The announced properties.
    package var info: DiscoveryInfo

    /// Creates an advertisement.
    package init(serviceType: PeerServiceType, instanceName: String, port: Int, info: DiscoveryInfo) {
        self.serviceType = serviceType
        self.instanceName = instanceName
        self.port = port
        self.info = info
    }
}

/// A change of an announcement.
public enum PeerAdvertiserEvent: Sendable {
    /// The peer is announced under this instance name.
    case published(String)
    /// The preferred name is in use; the peer is announced under this name.
    case renamed(String)
    /// The peer is not announced until it is published again.
    case withdrawn
    /// The announcement failed; it is retried.
    case failed(PeerError)
}

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

    /// Creates a sighting.
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

/// An event of a search for services.
package enum PeerSightingEvent: Sendable {
    /// A service was found or has changed.
    case seen(PeerSighting)
    /// The sighting with this key is no longer valid.
    case lost(String)
    /// All services that were known at the start have been reported.
    case allForNow
    /// An error occurred; the search continues.
    case failed(PeerError)
}
