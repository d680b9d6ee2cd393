import Logging
import NIOCore
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Machines that see one another: in memory, or on loopback with TLS.
struct World: Sendable {
    enum Kind: CaseIterable, Sendable {
        case memory
        case loopback
    }

    /// The network in memory; nil on loopback.
    let network: InMemoryNetwork?
    private let discovery: PeerTestSupport.InMemoryDiscovery

    init(_ kind: Kind) {
        network = kind == .memory ? InMemoryNetwork() : nil
        discovery = PeerTestSupport.InMemoryDiscovery { advertisement in
            guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: advertisement.port) else { return [] }
            return [
                PeerSighting(
                    key: "\(advertisement.instanceName) \(advertisement.port)",
                    instanceName: advertisement.instanceName,
                    address: address,
                    interfaceName: "lo",
                    info: advertisement.info
                )
            ]
        }
    }

    /// The network as a machine sees it.
    func environment(_ name: String) -> PeerEnvironment {
        if let network { return network.machine(name) }
        var transport = NetworkTransport(discovery: discovery)
        transport.host = "127.0.0.1"
        return PeerEnvironment(transport)
    }

    /// Settings for a machine that takes anyone.
    func configuration(_ name: String) throws -> PeerSession.Configuration {
        let application = try PeerServiceType(validating: "sessions-test")
        let local =
            try network?.local(name, application: application)
            ?? LocalPeer(
                application: application,
                identity: .generate(for: application),
                displayName: name,
                software: "test 1"
            )
        var configuration = PeerSession.Configuration(
            local: local,
            messages: [Line.self, Position.self],
            requests: [Greeting.self]
        )
        configuration.admission = .everyone
        configuration.logger = Logger(label: name) { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }

    /// Runs a session on a machine of its own.
    func session<Result: Sendable>(
        _ name: String,
        _ change: (inout PeerSession.Configuration) -> Void = { _ in },
        _ body: @Sendable (PeerSession) async throws -> Result
    ) async throws -> Result {
        var configuration = try configuration(name)
        change(&configuration)
        let environment = environment(name)
        guard let network else { return try await withPeerSession(configuration, environment: environment, body) }
        // Time waits for what runs on the executor of the network, so it does not pass while a slow machine runs the test.
        return try await withTaskExecutorPreference(network.executor) {
            await Task.yield()
            return try await withPeerSession(configuration, environment: environment, body)
        }
    }

    /// Runs a session with other settings on a machine of its own.
    func session<Result: Sendable>(
        _ name: String,
        _ settings: Settings,
        _ body: @Sendable (PeerSession) async throws -> Result
    ) async throws -> Result {
        try await session(name, settings.change, body)
    }

    /// Runs two sessions.
    func sessions(_ body: @Sendable (_ anna: PeerSession, _ ben: PeerSession) async throws -> Void) async throws {
        try await session("anna") { anna in
            try await session("ben") { ben in try await body(anna, ben) }
        }
    }

    /// Runs two sessions that are linked: Ben has invited Anna.
    func linked(_ body: @Sendable (_ anna: PeerSession, _ ben: PeerSession) async throws -> Void) async throws {
        try await sessions { anna, ben in
            try await ben.invite(at: [address(of: anna)])
            try await until { anna.connectedPeers == [ben.local.id] }
            try await body(anna, ben)
        }
    }

    /// Where a session listens.
    func address(of session: PeerSession) async throws -> PeerAddress {
        let port = await session.port
        guard let network else { return PeerAddress(host: "127.0.0.1", port: port) }
        let address = try network.address(of: session.local.displayName, port: port)
        return PeerAddress(host: try #require(address.ipAddress), port: port)
    }

    /// Waits until a condition holds, in memory no longer than until its time has come to a limit.
    func until(
        limit: Duration = .seconds(60),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ condition: @escaping @Sendable () -> Bool
    ) async throws {
        if let network {
            return try await network.clock.advance(until: condition, limit: limit, fileID: fileID, line: line)
        }
        let end = ContinuousClock.now + .patience
        while !condition() {
            guard ContinuousClock.now < end else { throw NotInTime(fileID: fileID, line: line) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Runs something that needs time.
    func whileTimePasses<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let network else { return try await body() }
        return try await network.clock.advance(while: body)
    }

    struct NotInTime: Error {
        var fileID: StaticString
        var line: UInt
    }
}

/// Changes the settings of a session.
struct Settings: Sendable {
    let change: @Sendable (inout PeerSession.Configuration) -> Void

    init(_ change: @escaping @Sendable (inout PeerSession.Configuration) -> Void) {
        self.change = change
    }
}
