/// A way to announce and to find services: Avahi, or memory in tests.
package protocol DiscoveryBackend: Sendable {
    /// Announces a service while `body` runs.
    ///
    /// If discovery does not work at the moment, that is an event, and the service is announced as soon as it works.
    func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result

    /// Searches for services while `body` runs.
    func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSighting.Event>) async throws -> Result
    ) async throws -> Result
}

/// A service to announce.
package struct PeerAdvertisement: Hashable, Sendable {
    /// The kind of service.
    package var serviceType: PeerServiceType
    /// The preferred name; if it is in use, a number is added.
    package var instanceName: String
    /// The port on which the peer listens.
    package var port: Int
    /// The announced properties.
    package var info: DiscoveryInfo

    package init(serviceType: PeerServiceType, instanceName: String, port: Int, info: DiscoveryInfo) {
        self.serviceType = serviceType
        self.instanceName = instanceName
        self.port = port
        self.info = info
    }
}

/// A change of an announcement.
#if compiler(>=6.3)
@nonexhaustive
#endif
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
