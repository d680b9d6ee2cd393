import Glibc
internal import NIOCore
internal import NIOPosix

/// A small HTTP/1.1 server for files and pages.
///
/// The server answers `GET` and `HEAD`, and accepts content by `POST` if the site does.
///
/// A ``Configuration`` limits the size, the time and the number of everything that a client can send. Only the exact
/// host is served, so a web page whose name points at this machine (DNS rebinding) gets no content. There are no CORS
/// headers.
package enum WebServer {
    /// The limits of a server and what it adds to each answer.
    package struct Configuration: Hashable, Sendable {
        /// The address to listen on; `0.0.0.0` for all IPv4 addresses of the machine, `::` for those of IPv6, too.
        package var address = "127.0.0.1"
        /// The port to listen on; 0 for any free one.
        package var port = 0
        /// Whether to listen on any free port if ``port`` is in use.
        package var takesAnyFreePort = false
        /// The maximum number of connections; further ones are closed at once.
        package var maximumConnections = 128
        /// The maximum number of connections from one address.
        package var maximumConnectionsPerClient = Int.max
        /// The maximum length of the content of a request, in bytes; 0 for none.
        package var maximumContentLength = 0
        /// The maximum number of requests with content at once; further ones are refused.
        package var maximumUploads = 1
        /// The maximum number of such requests from one address.
        package var maximumUploadsPerClient = 1
        /// The maximum size of all large answers in memory, which files are not, in bytes; further ones are refused.
        package var maximumMemory = 16 << 20
        /// The time for a whole request, from the connection or the last answer on; requests with content get more.
        ///
        /// The site may take as long as it likes for its answer.
        package var requestTime: Duration = .seconds(20)
        /// The time within which a client must take the next piece of an answer.
        package var writeTime: Duration = .seconds(20)
        /// The value of the field `Content-Security-Policy` of every answer.
        package var contentSecurityPolicy = "default-src 'none'"
        /// How the server encrypts; nil for plain HTTP.
        package var security: WebServerSecurity?
        /// Whether only programs of the user who runs the server get answers.
        package var isForOwnUser = true

        package init() {}
    }

    /// A server cannot listen.
    package struct ListenError: Error, Hashable, Sendable {
        package var port: Int
        /// The reason in the system's words.
        package var reason: String
    }

    /// Listens and answers requests until the task is cancelled.
    ///
    /// An error of one client ends only its own connection.
    ///
    /// - Throws: ``ListenError`` if the server cannot listen, or the error of `started`.
    package static func run(
        _ configuration: Configuration,
        site: some WebSite,
        started: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let entrance = try Entrance(configuration)
        let server = try await listen(configuration, entrance)
        let port = server.channel.localAddress?.port ?? 0
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await started(port) }
            group.addTask { try await accept(from: server, port, configuration, site) }
            // The first error ends the other task too.
            while try await group.next() != nil {}
        }
    }

    private static func listen(
        _ configuration: Configuration,
        _ entrance: Entrance
    ) async throws -> NIOAsyncChannel<Entrance.Arrival, Never> {
        do {
            // A server that is started again gets its port, although connections of the last run are still in
            // TIME_WAIT.
            return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // A client may close its sending side after its request, and then read the answer.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .bind(host: configuration.address, port: configuration.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try entrance.enter(channel) }
                }
        } catch let error as IOError where error.errnoCode == EADDRINUSE && configuration.takesAnyFreePort {
            var other = configuration
            (other.port, other.takesAnyFreePort) = (0, false)
            return try await listen(other, entrance)
        } catch let error as IOError {
            throw ListenError(port: configuration.port, reason: String(cString: strerror(error.errnoCode)))
        }
    }

    private static func accept(
        from server: NIOAsyncChannel<Entrance.Arrival, Never>,
        _ port: Int,
        _ configuration: Configuration,
        _ site: some WebSite
    ) async throws {
        let uploads = Slots(configuration.maximumUploads, perClient: configuration.maximumUploadsPerClient)
        let memory = Budget(configuration.maximumMemory)
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { connections in
                for try await arrival in connections {
                    let channel = arrival.connection.channel
                    group.addTask {
                        // The only host that is served is the address at which the client has reached this machine.
                        let host = channel.localAddress?.plainAddress ?? configuration.address
                        let serving = WebConnection(
                            configuration: configuration,
                            hosts: WebConnection.hosts(host, port),
                            site: site,
                            uploads: uploads,
                            memory: memory,
                            client: arrival.client,
                            address: channel.remoteAddress?.zonedAddress ?? "",
                            ports: (client: channel.remoteAddress?.port ?? 0, server: port)
                        )
                        try? await serving.run(arrival.connection)
                    }
                }
            }
        }
    }
}
