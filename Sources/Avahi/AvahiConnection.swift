/// A connection to the Avahi daemon, over which services are published and found.
///
/// It lives as long as the scope that it is handed to. Within, it survives that the daemon, or D-Bus itself, goes away
/// and comes back: services are published again, and what was found is reported as lost and found again.
///
/// For example:
///
/// ```swift
/// try await AvahiConnection.withConnection { connection in
///     for await event in await connection.browse(for: try ServiceType("_ipp._tcp")) {
///         if case .found(let service) = event { print(service.name, service.address, service.port) }
///     }
/// }
/// ```
public struct AvahiConnection: Sendable {
    private let engine: AvahiEngine

    /// Connects to the daemon, calls `body` and closes the connection, whatever happens.
    ///
    /// Throws ``AvahiError/Code/busUnavailable`` if there is no D-Bus. If the daemon does not run, the connection waits
    /// for it; use ``waitUntilRunning(within:)`` where that should be an error. The bus is the system's, or the one of
    /// the environment variable `DBUS_SYSTEM_BUS_ADDRESS`.
    public static func withConnection<Result>(
        _ body: (AvahiConnection) async throws -> Result
    ) async throws -> Result {
        let engine = AvahiEngine()
        do {
            try await engine.open(within: openTime)
            let result = try await body(AvahiConnection(engine: engine))
            await engine.close()
            return result
        } catch {
            await engine.close()
            throw error
        }
    }

    /// How long the bus and the daemon may take to answer at first.
    private static let openTime: Duration = .milliseconds(500)

    /// Returns the states of the connection from now on, the present one first.
    public func states() async -> AsyncStream<ConnectionState> {
        engine.watchState()
    }

    /// Waits until services can be published and found.
    ///
    /// Throws ``AvahiError/Code/daemonUnavailable`` or ``AvahiError/Code/busUnavailable`` if that does not come about in
    /// time, ``AvahiError/Code/timedOut`` if the daemon is there but not ready, or does not answer.
    public func waitUntilRunning(within limit: Duration) async throws {
        let states = engine.watchState()
        let isRunning = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { await states.contains(.running) }
            group.addTask {
                try await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        try Task.checkCancellation()
        guard !isRunning else { return }
        try engine.checkOpen()
        guard !engine.isBlocked else { throw AvahiError.noAnswer() }
        switch engine.state {
        case .running: return
        case .waitingForBus: throw AvahiError.busUnavailable(0)
        case .waitingForDaemon: throw AvahiError.daemonUnavailable()
        case .registering, .hostNameCollision:
            throw AvahiError(
                .timedOut,
                "The Avahi daemon has not found a name for this machine in time.",
                remedy: "Check the network connection, or restart it with: sudo systemctl restart avahi-daemon"
            )
        }
    }

    /// Finds services of a type, with address, port and TXT record.
    ///
    /// The search ends when the events are released, or when the one task that reads them is cancelled. A service that
    /// is seen over several interfaces, or over both IPv4 and IPv6, is reported for each.
    public func browse(
        for type: ServiceType,
        interface: NetworkInterface? = nil,
        ipVersion: IPVersion? = nil
    ) async -> AsyncStream<BrowseEvent> {
        engine.addBrowser(type: type, interface: interface, ipVersion: ipVersion)
    }

    /// Publishes a service for as long as `body` runs.
    ///
    /// The service is published as soon as the daemon is there, and again whenever it comes back. Whether it is, and
    /// under which name, is in ``Publication/events``.
    public func withPublishedService<Result>(
        _ announcement: ServiceAnnouncement,
        _ body: (Publication) async throws -> Result
    ) async throws -> Result {
        let (number, events) = try engine.addPublisher(announcement)
        do {
            let result = try await body(Publication(events: events, number: number, engine: engine))
            await engine.endPublishing(number)
            return result
        } catch {
            await engine.endPublishing(number)
            throw error
        }
    }
}
