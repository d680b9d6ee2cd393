/// Announces this machine to peers nearby.
///
/// See <doc:SendingAndReceiving> for an example.
public struct PeerAdvertiser: Sendable {
    private let serviceType: PeerServiceType
    private let backend: any DiscoveryBackend

    /// Creates an advertiser that announces services through Avahi.
    ///
    /// - Parameter serviceType: The service type of the application.
    public init(serviceType: PeerServiceType) {
        self.init(serviceType: serviceType, backend: AvahiDiscovery())
    }

    package init(serviceType: PeerServiceType, backend: any DiscoveryBackend) {
        self.serviceType = serviceType
        self.backend = backend
    }

    /// Announces this machine while `body` runs.
    ///
    /// If discovery does not work, because Avahi does not run, the event ``PeerAdvertiserEvent/failed(_:)`` says so. The machine
    /// is announced as soon as discovery works.
    ///
    /// - Parameters:
    ///   - instanceName: The preferred name. If it is in use, a number is added.
    ///   - port: The port on which this machine listens.
    ///   - info: The announced properties.
    ///   - body: Receives the events of the announcement.
    /// - Returns: The result of `body`.
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if the machine can never be announced, with
    ///   ``PeerError/Code/invalidArgument`` if ``DiscoveryInfo/custom`` breaks a rule; the error of `body`.
    public func withAdvertisement<Result: Sendable>(
        instanceName: String,
        port: Int,
        info: DiscoveryInfo,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result {
        try DiscoveryRules.check(info.custom)
        let advertisement = PeerAdvertisement(
            serviceType: serviceType,
            instanceName: instanceName,
            port: port,
            info: info
        )
        return try await backend.withAdvertisement(advertisement, body: body)
    }
}
