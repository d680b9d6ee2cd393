/// A connection to the Avahi daemon, through which a program publishes and finds services.
///
/// The connection lives as long as the closure that uses it. If the daemon or D-Bus stops and starts again, the library
/// publishes the services again, and reports found services as lost and then as found again.
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

    /// Connects to the daemon, calls `body` and closes the connection.
    ///
    /// If the daemon does not run, the connection waits for it. Use ``waitUntilRunning(within:)`` if that is an error. The
    /// bus is the system bus, or the one in the environment variable `DBUS_SYSTEM_BUS_ADDRESS`.
    ///
    /// - Parameter body: Uses the connection.
    /// - Returns: The result of `body`.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/busUnavailable`` if there is no D-Bus; the error of `body`.
    public static func withConnection<Result>(_ body: (AvahiConnection) async throws -> Result) async throws -> Result {
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

    /// The time within which the bus and the daemon must answer at the start.
    private static let openTime: Duration = .milliseconds(500)

    /// Returns the states of the connection, beginning with the current one.
    public func states() async -> AsyncStream<ConnectionState> { engine.watchState() }

    /// Waits until services can be published and found.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/daemonUnavailable`` or ``AvahiError/Code/busUnavailable`` if the
    ///   daemon or the bus does not start in time, ``AvahiError/Code/timedOut`` if the daemon runs but is not ready.
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

    /// Finds services of a type, with their addresses, ports and TXT records.
    ///
    /// The search ends when the stream is released, or when the task that reads it is cancelled. A service on several
    /// interfaces, or on both IPv4 and IPv6, is reported once for each.
    ///
    /// - Parameters:
    ///   - type: The type of the services.
    ///   - interface: The only interface to search on; nil for all.
    ///   - ipVersion: The only IP version to search with; nil for both.
    /// - Returns: The events, for one task. If the task falls behind, outdated changes of a service are skipped.
    public func browse(
        for type: ServiceType,
        interface: NetworkInterface? = nil,
        ipVersion: IPVersion? = nil
    ) async -> AsyncStream<BrowseEvent> {
        let (events, end) = engine.addBrowser(type: type, interface: interface, ipVersion: ipVersion)
        return events.stream(ended: end)
    }

    /// Finds services while `body` runs; a reader that falls behind gets the newest state of each service.
    package func withServices<Result>(
        of type: ServiceType,
        _ body: (LatestChanges<BrowseEvent>) async throws -> Result
    ) async throws -> Result {
        let (events, end) = engine.addBrowser(type: type, interface: nil, ipVersion: nil)
        defer { end() }
        return try await body(events)
    }

    /// Publishes a service while `body` runs.
    ///
    /// The service is published as soon as the daemon runs, and again each time that the daemon restarts.
    /// ``Publication/events`` reports whether it is published, and under which name.
    ///
    /// - Parameters:
    ///   - announcement: The service.
    ///   - body: Uses the publication.
    /// - Returns: The result of `body`.
    /// - Throws: ``AvahiError`` with ``AvahiError/Code/closed`` if the connection is closed; the error of `body`.
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

/// The state of a connection to the Avahi daemon.
#if compiler(>=6.3)
@nonexhaustive
#endif
public enum ConnectionState: Hashable, Sendable {
    /// There is no D-Bus; the library retries.
    case waitingForBus
    /// The daemon is not running; the library waits for its start.
    case waitingForDaemon
    /// The daemon is establishing the host's name.
    case registering
    /// Another host has the same name; the daemon is choosing another one.
    case hostNameCollision
    /// Services can be published and found.
    case running

    /// Whether browsing works in this state.
    var isConnected: Bool {
        switch self {
        case .registering, .hostNameCollision, .running: true
        case .waitingForBus, .waitingForDaemon: false
        }
    }
}
