import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Prepares the connections of new clients.
struct Entrance: Sendable {
    /// A client that has connected.
    struct Arrival: Sendable {
        var client: ConnectedClient
        var connection: WebConnection.Channel
    }

    private let configuration: WebServer.Configuration
    /// What all encrypted connections share; nil for plain HTTP.
    private let security: NIOSSLContext?
    /// The slots for connections.
    private let slots: Slots
    /// The slots for TLS handshakes.
    private let handshakes: Slots

    init(_ configuration: WebServer.Configuration) throws {
        self.configuration = configuration
        security = try configuration.security?.context()
        slots = Slots(configuration.maximumConnections, perClient: configuration.maximumConnectionsPerClient)
        handshakes = Slots(configuration.security?.maximumHandshakes ?? 0)
    }

    /// Adds the handlers of a connection, or closes it.
    func enter(_ channel: any Channel) throws -> Arrival {
        do {
            return try prepare(channel)
        } catch {
            // Nobody else does: the connection is not registered yet.
            channel.close(promise: nil)
            throw error
        }
    }

    private func prepare(_ channel: any Channel) throws -> Arrival {
        let client = ConnectedClient()
        let pipeline = channel.pipeline.syncOperations
        if let security, let time = configuration.security?.handshakeTime {
            try pipeline.addHandler(WebServerSecurity.handler(security))
            try pipeline.addHandler(HandshakeHandler(client, time, handshakes))
        }
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withErrorHandling: false,
            withOutboundHeaderValidation: true,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
            withDecoderLimitConfiguration: HeaderLimits.decoder
        )
        try pipeline.addHandler(BrokenRequestHandler())
        try pipeline.addHandler(DeadlineHandler(configuration, client, slots))
        return Arrival(client: client, connection: try WebConnection.Channel(wrappingChannelSynchronously: channel))
    }
}
