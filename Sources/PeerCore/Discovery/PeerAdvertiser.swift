/// Makes this machine findable for peers nearby.
public struct PeerAdvertiser: Sendable {
    private let serviceType: PeerServiceType
    private let backend: any DiscoveryBackend

    /// Creates an advertiser that announces services through Avahi.
    ///
    /// - Parameter serviceType: The service type of the application.
    public init(serviceType: PeerServiceType) {
        self.init(serviceType: serviceType, backend: AvahiDiscovery())
    }

    /// Creates an advertiser.
    ///
    /// - Parameters:
    ///   - serviceType: The service type of the application.
    ///   - backend: How services are announced.
    package init(serviceType: PeerServiceType, backend: any DiscoveryBackend) {
        self.serviceType = serviceType
        self.backend = backend
    }

    /// Announces this machine for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - instanceName: The name wished for; another one is used if it is taken.
    ///   - port: The port on which this machine listens.
    ///   - info: What it says of itself.
    ///   - body: Told of what happens to the announcement.
    /// - Returns: What `body` returns.
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if that cannot be; what `body` throws.
    public func withAdvertisement<Result: Sendable>(
        instanceName: String,
        port: Int,
        info: DiscoveryInfo,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result {
        let advertisement = PeerAdvertisement(
            serviceType: serviceType,
            instanceName: instanceName,
            port: port,
            info: info
        )
        return try await backend.withAdvertisement(advertisement, body: body)
    }
}
