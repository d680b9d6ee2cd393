package import Logging
package import NIOCore
package import PeerProtocol

/// The network of this machine: connections over TCP and TLS, discovery, and the system's clock.
///
/// Connections are always encrypted, whatever the configuration says. Copies share what they expect.
package struct NetworkTransport: PeerTransport {
    /// The system's clock.
    package let clock: any PeerClock = SystemClock()
    /// Announces and finds services.
    package let discovery: any DiscoveryBackend
    /// The tasks of sessions run on the default executor, those of connections on event loops.
    package let executor: (any TaskExecutor)? = nil
    /// The address to listen on; nil for all addresses of this machine.
    package var host: String?
    /// The attached connections that sessions expect.
    let attachments = ExpectedAttachments()
    private let logger: Logger

    package init(
        discovery: any DiscoveryBackend = AvahiDiscovery(),
        logger: Logger = Logger(label: "PeerCore.transport")
    ) {
        self.discovery = discovery
        self.logger = logger
    }

    /// The addresses of this machine with a port, those of loopback only if it listens there.
    package func ownAddresses(port: Int) -> [String] {
        if let host { return [PeerAddress(host: host, port: port).text] }
        return PeerListener.addresses(port: port, includingLoopback: false)
    }

    /// The networks that this machine is on now.
    package var networks: LocalNetworks { .ofThisMachine(listeningOn: host) }

    /// Accepts connections while `body` runs; a connection that `accept` does not run is aborted when `accept` returns.
    package func withListener(
        local: LocalPeer,
        port: Int,
        configuration: ConnectionConfiguration,
        incarnation: Incarnation,
        admission: Admission,
        accept: @escaping @Sendable (any PeerConnection, _ number: Int) async -> Void,
        body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let configuration = encrypting(configuration)
        let receivers = Receivers(attachments: attachments)
        try await PeerListener.with(local: local, host: host, port: port, configuration: configuration) { listener in
            try await withoutActuallyEscaping(body) { body in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await body(listener.port)
                        return true
                    }
                    group.addTask {
                        try await listener.forEachConnection(admittedBy: admission) { frames, number in
                            let connection = NetworkConnection(
                                frames,
                                configuration: configuration,
                                handingOverTo: receivers,
                                logger: logger
                            )
                            await accept(connection, number)
                            // A connection that was handed over is closed by now: `accept` delivers its inputs until then.
                            frames.abort()
                            _ = admission.ended(number, .unasked, at: .now)
                        }
                        return false
                    }
                    for try await isBody in group where isBody { group.cancelAll() }
                }
            }
        }
    }

    /// Opens a connection to a peer, trying all addresses, and waits until the peer has proved its id.
    package func connect(
        local: LocalPeer,
        to addresses: [SocketAddress],
        expecting expected: ExpectedPeer?,
        configuration: ConnectionConfiguration
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

    private func encrypting(_ configuration: ConnectionConfiguration) -> ConnectionConfiguration {
        var configuration = configuration
        configuration.encryption = .required
        return configuration
    }
}

/// Takes over the inputs of a connection that another object has begun to read.
protocol InboundReceiver: Sendable {
    /// The peer has sent an input. Inputs are delivered one at a time, in order.
    func received(_ input: Inbound) async

    /// The connection is closed.
    func transportClosed(_ error: (any Error)?) async
}

extension NetworkTransport {
    /// Takes over the accepted connections of a session's listener that carry no link.
    struct Receivers: Sendable {
        let attachments: ExpectedAttachments

        /// Returns the receiver of a connection; nil if there is none.
        func take(_ connection: FrameConnection, _ handover: ConnectionHandover) async -> (any InboundReceiver)? {
            switch handover {
            case .lane(let secret, let peer, let slot):
                guard let take = slot.admission.joined(slot.number, secret: secret, peer: peer),
                    take(slot.number, connection)
                else { return nil }
                return Lane(connection: connection)
            case .attachment(let secret, let machine, let slot):
                guard let peer = machine.certifiedID, slot.admission.linked(slot.number) else { return nil }
                let arrival = ExpectedAttachments.Arrival(connection: connection, machine: machine, slot: slot)
                guard attachments.hand(arrival, presenting: secret, from: peer) else { return nil }
                return await arrival.receiver.value(ifCancelled: nil)
            }
        }
    }
}

/// A lane, on which a receiver sends nothing.
private struct Lane: InboundReceiver {
    let connection: FrameConnection

    func received(_ input: Inbound) async { connection.close() }
    func transportClosed(_ error: (any Error)?) async {}
}
