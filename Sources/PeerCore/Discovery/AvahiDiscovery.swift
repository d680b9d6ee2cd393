import Avahi
import NIOCore

/// Discovery by multicast DNS through the system's Avahi daemon, on every network of this machine.
///
/// While the daemon runs, a search also asks so that the answers come by unicast, for networks that lose multicast: see
/// ``DirectSearch``.
package struct AvahiDiscovery: DiscoveryBackend {
    /// The interval at which the bus is looked for if it does not run; the connection itself waits for the daemon.
    private static let busInterval: Duration = .seconds(2)

    private let startTimeout: Duration
    private let asksDirectly: Bool

    package init(startTimeout: Duration = .seconds(2), asksDirectly: Bool = true) {
        self.startTimeout = startTimeout
        self.asksDirectly = asksDirectly
    }

    /// Creates a backend for a search that takes at most `limit`; a missing daemon is reported by then.
    package init(within limit: Duration) { self.init(startTimeout: min(limit, .seconds(2))) }

    /// Announces a service while `body` runs.
    ///
    /// If the daemon or the bus does not run, that is an event, and the service is announced as soon as they do.
    package func withAdvertisement<Result: Sendable>(
        _ advertisement: PeerAdvertisement,
        body: (AsyncStream<PeerAdvertiserEvent>) async throws -> Result
    ) async throws -> Result {
        let announcement = try await translatingErrors {
            ServiceAnnouncement(
                name: try InstanceName(fitting: advertisement.instanceName)
                    ?? InstanceName(advertisement.serviceType.name),
                type: try ServiceType(name: advertisement.serviceType.name),
                port: UInt16(clamping: advertisement.port),
                txt: try advertisement.info.txtRecord()
            )
        }
        let (events, continuation) = AsyncStream.makeStream(of: PeerAdvertiserEvent.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await announce(announcement) { continuation.yield($0) }
                continuation.finish()
            }
            defer { group.cancelAll() }
            return try await body(events)
        }
    }

    /// Announces a service until the task is cancelled.
    private func announce(
        _ announcement: ServiceAnnouncement,
        report: @escaping @Sendable (PeerAdvertiserEvent) -> Void
    ) async {
        var lastFailure: AvahiError.Code?
        while !Task.isCancelled {
            do {
                try await AvahiConnection.withConnection { connection in
                    try await connection.withPublishedService(announcement) { publication in
                        await follow(publication, on: connection, report)
                    }
                }
            } catch let error as AvahiError {
                // The bus is not there. That is reported once; the daemon's absence later is reported by the connection.
                if error.code != lastFailure { report(.failed(PeerError(error))) }
                lastFailure = error.code
            } catch {
                return
            }
            try? await Task.sleep(for: Self.busInterval)
        }
    }

    /// Reports the events of a publication, and once if the daemon does not run.
    private func follow(
        _ publication: Publication,
        on connection: AvahiConnection,
        _ report: @escaping @Sendable (PeerAdvertiserEvent) -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await connection.waitUntilRunning(within: startTimeout)
                } catch let error as AvahiError {
                    report(.failed(PeerError(error)))
                } catch {}
            }
            for await event in publication.events { report(PeerAdvertiserEvent(event)) }
            group.cancelAll()
        }
    }

    /// Searches for services while `body` runs.
    package func withSightings<Result: Sendable>(
        of serviceType: PeerServiceType,
        body: (AsyncStream<PeerSighting.Event>) async throws -> Result
    ) async throws -> Result {
        try await translatingErrors {
            let type = try ServiceType(name: serviceType.name)
            let deadline = ContinuousClock.now + startTimeout
            return try await AvahiConnection.withConnection { connection in
                try await connection.waitUntilRunning(within: deadline - .now)
                return try await connection.withServices(of: type) { events in
                    let sightings = MergedSightings()
                    return try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            while let event = await events.next() {
                                if let event = PeerSighting.Event(event) { sightings.avahi(event) }
                            }
                            sightings.finish()
                        }
                        if asksDirectly {
                            group.addTask { await DirectSearch(serviceType: serviceType, sightings: sightings).run() }
                        }
                        defer { group.cancelAll() }
                        return try await body(sightings.stream)
                    }
                }
            }
        }
    }

    private func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as AvahiError {
            throw PeerError(error)
        }
    }
}

extension PeerError {
    /// Creates an error that says why discovery does not work, and what to do.
    init(_ error: AvahiError) {
        self.init(.discoveryUnavailable, error.message, remedy: error.remedy, cause: error)
    }
}

extension PeerAdvertiserEvent {
    fileprivate init(_ event: PublicationEvent) {
        switch event {
        case .published(let name): self = .published(name.description)
        case .renamed(let name): self = .renamed(name.description)
        case .withdrawn: self = .withdrawn
        case .failed(let error): self = .failed(PeerError(error))
        }
    }
}

extension PeerSighting.Event {
    /// Translates an event; nil for a service whose address cannot be used.
    fileprivate init?(_ event: BrowseEvent) {
        switch event {
        case .found(let service), .changed(let service):
            guard let sighting = PeerSighting(service) else { return nil }
            self = .seen(sighting)
        case .lost(let key): self = .lost(key.sightingKey)
        case .allForNow: self = .allForNow
        case .failed(let error): self = .failed(PeerError(error))
        }
    }
}

extension PeerSighting {
    fileprivate init?(_ service: Service) {
        // A link-local address is useless without its zone. An interface number always works as a zone; a name does not.
        let zone = service.address.zone.map { "%\($0.index)" } ?? ""
        let host = service.address.text + zone
        guard let address = try? SocketAddress.makeAddressResolvingHost(host, port: Int(service.port)) else {
            return nil
        }
        self.init(
            key: service.key.sightingKey,
            instanceName: service.name,
            address: address,
            interfaceName: service.interface.name,
            info: DiscoveryInfo(service.txt),
            isLocal: service.isLocal
        )
    }
}

extension ServiceKey {
    fileprivate var sightingKey: String { "\(interface.index)/\(ipVersion)/\(name)/\(type)/\(domain)" }
}
