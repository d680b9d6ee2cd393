/// Finds peers nearby.
public struct PeerBrowser: Sendable {
    private let serviceType: PeerServiceType
    private let ownID: PeerID?
    private let backend: any DiscoveryBackend

    /// Creates a browser.
    ///
    /// - Parameters:
    ///   - serviceType: What to look for.
    ///   - ownID: The id of this machine, which is not reported.
    ///   - backend: How to look.
    public init(
        serviceType: PeerServiceType = .hikeshare,
        ownID: PeerID? = nil,
        backend: any DiscoveryBackend = AvahiDiscovery()
    ) {
        self.serviceType = serviceType
        self.ownID = ownID
        self.backend = backend
    }

    /// Looks for peers for as long as `body` runs.
    ///
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if that cannot be; what `body` throws.
    public func withEvents<Result: Sendable>(
        _ body: (AsyncStream<PeerBrowserEvent>) async throws -> Result
    ) async throws -> Result {
        try await backend.withSightings(of: serviceType) { sightings in
            let (events, continuation) = AsyncStream.makeStream(of: PeerBrowserEvent.self)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var directory = PeerDirectory(ownID: ownID)
                    for await sighting in sightings {
                        for event in directory.events(for: sighting) { continuation.yield(event) }
                    }
                    continuation.finish()
                }
                defer { group.cancelAll() }
                return try await body(events)
            }
        }
    }
}

extension PeerDirectory {
    fileprivate mutating func events(for event: PeerSightingEvent) -> [PeerBrowserEvent] {
        switch event {
        case .seen(let sighting): seen(sighting)
        case .lost(let key): lost(key)
        case .allForNow: [.allForNow]
        case .failed(let error): [.failed(error)]
        }
    }
}
