package import Logging
package import NIOCore
package import PeerProtocol

/// The network of this machine: connections over TCP and TLS, discovery, and the system's clock.
///
/// Connections are always encrypted, whatever the configuration says.
package struct NetworkTransport: PeerTransport {
    /// The system's clock.
    package let clock: any PeerClock = SystemClock()
    /// Announces and finds services.
    package let discovery: any DiscoveryBackend
    /// The tasks of sessions run on the default executor, those of connections on event loops.
    package let executor: (any TaskExecutor)? = nil
    /// Transfers that are offered on the same port; nil for none.
    var transfers: TransferService?
    /// The address to listen on; nil for all addresses of this machine.
    package var host: String?
    private let logger: Logger

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - discovery: Announces and finds services.
    ///   - transfers: Transfers that are offered on the same port; nil for none.
    ///   - logger: Logs the events of connections.
    package init(
        discovery: any DiscoveryBackend = AvahiDiscovery(),
        serving transfers: TransferService? = nil,
        logger: Logger = Logger(label: "PeerCore.transport")
    ) {
        self.discovery = discovery
        self.transfers = transfers
        self.logger = logger
    }

    /// The addresses of this machine with a port, those of loopback only if it listens there.
    package func ownAddresses(port: Int) -> [String] {
        if let host { return [PeerAddress(host: host, port: port).text] }
        return PeerListener.addresses(port: port, includingLoopback: false)
    }

    /// Accepts connections while `body` runs.
    ///
    /// A connection that `accept` does not run is aborted when `accept` returns. How many connections are accepted is not
    /// limited here: `accept` asks an ``Admission``.
    package func withListener(
        local: LocalPeer,
        port: Int,
        configuration: SessionConfiguration,
        incarnation: Incarnation,
        accept: @escaping @Sendable (any PeerConnection) async -> Void,
        body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let configuration = encrypting(configuration)
        if let transfers {
            return try await serve(transfers, local, port, configuration, incarnation, accept, body)
        }
        try await PeerListener.with(local, host, port, orAnyFree: false, configuration, for: .link) { listener in
            try await withoutActuallyEscaping(body) { body in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await body(listener.port)
                        return true
                    }
                    group.addTask {
                        try await serve(listener, configuration, accept)
                        return false
                    }
                    for try await isBody in group where isBody { group.cancelAll() }
                }
            }
        }
    }

    private func serve(
        _ listener: PeerListener,
        _ configuration: SessionConfiguration,
        _ accept: @escaping @Sendable (any PeerConnection) async -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { connections in
            do {
                for try await frames in listener.connections {
                    connections.addTask {
                        let connection = NetworkConnection(frames, configuration: configuration, logger: logger)
                        await accept(connection)
                        connection.abort()
                    }
                }
                connections.cancelAll()
            } catch is CancellationError {
                return connections.cancelAll()
            } catch {
                connections.cancelAll()
                throw PeerError(.cannotListen, "The listening socket has failed.", cause: error)
            }
        }
    }

    /// Opens a connection to a peer, trying all addresses, and waits until the peer has proved its id.
    package func connect(
        local: LocalPeer,
        to addresses: [SocketAddress],
        expecting expected: ExpectedPeer?,
        configuration: SessionConfiguration
    ) async throws(PeerError) -> any PeerConnection {
        let configuration = encrypting(configuration)
        let security = try TransportSecurity(identity: local.identity, application: local.application)
        let connector = PeerConnector(
            application: local.application,
            configuration: configuration,
            greeting: nil,
            logger: logger,
            use: .link
        )
        do {
            let frames = try await connector.connect(to: addresses, security: security, expecting: expected)
            return NetworkConnection(frames, configuration: configuration, logger: logger)
        } catch let failure as ConnectFailure {
            throw failure.error
        } catch is CancellationError {
            throw PeerError(.cancelled, "Connecting was stopped.")
        } catch {
            throw PeerError(connecting: error)
        }
    }

    private func encrypting(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var configuration = configuration
        configuration.encryption = .required
        return configuration
    }
}
