import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A small HTTP/1.1 server for files and pages.
///
/// It answers `GET` and `HEAD`, and takes content by `POST` if the site wants that.
///
/// Everything that a client can make large, slow or many is limited by a ``Configuration``. Only the exact host is served, so a
/// web page that makes a name of its own point at this machine (DNS rebinding) gets nothing. There are no CORS headers.
package enum WebServer {
    /// The limits of a server and what it adds to each answer.
    package struct Configuration: Hashable, Sendable {
        /// The IPv4 address to listen on; `0.0.0.0` for all of the machine.
        package var address = "127.0.0.1"
        /// The port to listen on; 0 for any free one.
        package var port = 0
        /// Whether to listen on any free port if ``port`` is in use.
        package var takesAnyFreePort = false
        /// The maximum number of connections; further ones are closed at once.
        package var maximumConnections = 64
        /// The maximum number of connections from one address.
        package var maximumConnectionsPerClient = Int.max
        /// The maximum size of all header fields of a request, in bytes.
        package var maximumHeaderSize = 16 * 1024
        /// The maximum number of header fields of a request.
        package var maximumHeaderCount = 64
        /// The maximum length of the content of a request, in bytes; 0 for none.
        package var maximumContentLength = 0
        /// The maximum number of requests with content at once.
        ///
        /// Their content is held in memory.
        package var maximumUploads = 2
        /// The time in which a whole request must arrive, also the first and also after a pause.
        ///
        /// Content gets more time.
        package var requestTime: Duration = .seconds(20)
        /// The time in which a client must take the next piece of an answer.
        package var writeTime: Duration = .seconds(20)
        /// The value of the field `Content-Security-Policy` of every answer.
        package var contentSecurityPolicy = "default-src 'none'"
        /// Whether only programs of the user who runs the server get answers.
        package var isForOwnUser = true

        /// Creates a configuration with the usual limits.
        package init() {}
    }

    /// Answers a request for a path; it is called on any thread, and may block.
    package typealias Handler = @Sendable (WebPath) -> WebResponse

    /// Serves a site that only reads; see ``run(_:site:started:)``.
    package static func run(
        _ configuration: Configuration,
        _ handler: @escaping Handler,
        started: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        try await run(configuration, site: ReadOnlySite(handler: handler), started: started)
    }

    /// Listens and answers requests until the task is cancelled.
    ///
    /// - Parameters:
    ///   - configuration: The limits.
    ///   - site: Answers the requests.
    ///   - started: Called with the port, when clients can connect.
    /// - Throws: ``WebServerError`` if the server cannot listen, or the error of `started`.
    package static func run(
        _ configuration: Configuration,
        site: some WebSite,
        started: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let server = try await listen(configuration)
        let port = server.channel.localAddress?.port ?? 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await started(port) }
            group.addTask { try await accept(from: server, port, configuration, site) }
            // The first error ends the other task too.
            while try await group.next() != nil {}
        }
    }

    private static func listen(
        _ configuration: Configuration
    ) async throws -> NIOAsyncChannel<WebConnection.Channel, Never> {
        do {
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.backlog, value: 64)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: configuration.address, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try pipeline(of: channel, configuration) }
                }
        } catch let error as IOError where error.errnoCode == EADDRINUSE && configuration.takesAnyFreePort {
            var other = configuration
            (other.port, other.takesAnyFreePort) = (0, false)
            return try await listen(other)
        } catch let error as IOError {
            throw WebServerError(port: configuration.port, reason: String(cString: strerror(error.errnoCode)))
        }
    }

    private static func accept(
        from server: NIOAsyncChannel<WebConnection.Channel, Never>,
        _ port: Int,
        _ configuration: Configuration,
        _ site: some WebSite
    ) async throws {
        let places = Places(configuration.maximumConnections, perClient: configuration.maximumConnectionsPerClient)
        let uploads = Places(configuration.maximumUploads)
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await connection in connections {
                    let client = connection.channel.remoteAddress
                    let name = client?.ipAddress ?? ""
                    let hasPlace = places.take(for: name)
                    group.addTask {
                        defer { if hasPlace { places.give(for: name) } }
                        // The address at which the client has reached this machine: no other name is ever served.
                        let host = connection.channel.localAddress?.ipAddress ?? configuration.address
                        let serving = WebConnection(
                            configuration: configuration,
                            hosts: WebConnection.hosts(host, port),
                            site: site,
                            uploads: uploads,
                            client: name,
                            ports: hasPlace ? (client: client?.port ?? 0, server: port) : nil
                        )
                        // What one client does wrong ends its connection only.
                        try? await serving.run(connection)
                    }
                }
            }
        }
    }

    private static func pipeline(
        of channel: any Channel,
        _ configuration: Configuration
    ) throws -> WebConnection.Channel {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = configuration.maximumHeaderSize
        limits.maxHeaderListSize = configuration.maximumHeaderSize
        limits.maxHeaderFieldCount = configuration.maximumHeaderCount
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withErrorHandling: true,
            withOutboundHeaderValidation: true,
            withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
            withDecoderLimitConfiguration: limits
        )
        try channel.pipeline.syncOperations.addHandler(
            DeadlineHandler(configuration)
        )
        return try WebConnection.Channel(wrappingChannelSynchronously: channel)
    }
}

/// A server cannot listen.
package struct WebServerError: Error, Hashable, Sendable {
    /// The port.
    package var port: Int
    /// The reason in the system's words.
    package var reason: String
}
