import Avahi
public import Logging
import NIOConcurrencyHelpers

/// Finds peers nearby.
///
/// ```swift
/// let peer = try await PeerBrowser(serviceType: local.application, ownID: local.id).withEvents {
///     events -> DiscoveredPeer? in
///     for await event in events {
///         if case .found(let peer) = event { return peer }
///     }
///     return nil
/// }
/// ```
public struct PeerBrowser: Sendable {
    private let serviceType: PeerServiceType
    private let ownID: PeerID?
    private let backend: any DiscoveryBackend
    private let logger: Logger

    /// Creates a browser that finds services through Avahi.
    ///
    /// - Parameters:
    ///   - serviceType: The service type of the application.
    ///   - ownID: The id of this machine, which is not reported; nil to report every peer.
    ///   - logger: Logs each event.
    public init(
        serviceType: PeerServiceType,
        ownID: PeerID? = nil,
        logger: Logger = Logger(label: "PeerCore.discovery")
    ) {
        self.init(serviceType: serviceType, ownID: ownID, backend: AvahiDiscovery(), logger: logger)
    }

    package init(
        serviceType: PeerServiceType,
        ownID: PeerID? = nil,
        backend: any DiscoveryBackend,
        logger: Logger = Logger(label: "PeerCore.discovery")
    ) {
        self.serviceType = serviceType
        self.ownID = ownID
        self.backend = backend
        self.logger = logger
    }

    /// Searches for peers while `body` runs.
    ///
    /// - Parameter body: Receives the events. If it falls behind, outdated changes of a peer are left out.
    /// - Returns: The result of `body`.
    /// - Throws: ``PeerError`` with ``PeerError/Code/discoveryUnavailable`` if discovery does not work; the error of `body`.
    public func withEvents<Result: Sendable>(
        _ body: (AsyncStream<PeerBrowserEvent>) async throws -> Result
    ) async throws -> Result {
        try await backend.withSightings(of: serviceType) { sightings in
            let changes = LatestChanges<PeerBrowserEvent>()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var directory = PeerDirectory(ownID: ownID)
                    for await sighting in sightings {
                        for event in directory.events(for: sighting) {
                            logger.log(event)
                            changes.add(event)
                        }
                    }
                    changes.finish()
                }
                defer { group.cancelAll() }
                return try await body(changes.stream())
            }
        }
    }
}

extension PeerDirectory {
    fileprivate mutating func events(for event: PeerSighting.Event) -> [PeerBrowserEvent] {
        switch event {
        case .seen(let sighting): seen(sighting)
        case .lost(let key): lost(key)
        case .allForNow: [.allForNow]
        case .failed(let error): [.failed(error)]
        }
    }
}

extension Logger {
    /// Logs an event; the name of the offered region is not logged.
    fileprivate func log(_ event: PeerBrowserEvent) {
        switch event {
        case .found(let peer): debug("peer found", metadata: Self.details(of: peer))
        case .changed(let peer): debug("peer changed", metadata: Self.details(of: peer))
        case .lost(let id): debug("peer lost", metadata: ["peer": "\(PeerID(hex: id)?.short ?? id)"])
        case .allForNow: debug("initial peers reported")
        case .failed(let error): debug("discovery failed", metadata: ["error": "\(error)"])
        }
    }

    private static func details(of peer: DiscoveredPeer) -> Metadata {
        [
            "peer": "\(peer.peerID?.short ?? "unknown")", "name": "\(peer.displayName)",
            "addresses": "\(peer.socketAddresses.map(\.displayText).joined(separator: " "))",
            "interfaces": "\(peer.interfaceNames.joined(separator: " "))",
        ]
    }
}

extension PeerBrowser {
    /// Searches for a time, and returns the peers that are present at the end, in the order of their last changes.
    package func collect(
        for time: Duration,
        failed: @escaping @Sendable (PeerError) -> Void = { _ in }
    ) async throws -> [DiscoveredPeer] {
        try await withEvents { events in
            let peers = NIOLockedValueBox<[DiscoveredPeer]>([])
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in events {
                        switch event {
                        case .found(let peer), .changed(let peer):
                            peers.withLockedValue { peers in
                                peers.removeAll { $0.id == peer.id }
                                peers.append(peer)
                            }
                        case .lost(let id): peers.withLockedValue { $0.removeAll { $0.id == id } }
                        case .failed(let error): failed(error)
                        case .allForNow: break
                        }
                    }
                }
                defer { group.cancelAll() }
                try await Task.sleep(for: time)
                return peers.withLockedValue { $0 }
            }
        }
    }
}
