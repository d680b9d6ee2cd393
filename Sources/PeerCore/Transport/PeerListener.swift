import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The listening socket of a sender.
public struct PeerListener: Sendable {
    /// The port to which peers connect.
    public let port: Int

    let connections: NIOAsyncChannelInboundStream<FrameConnection>
    let stop: @Sendable () -> Void

    /// Listens on a port while `body` runs.
    ///
    /// - Parameters:
    ///   - local: This machine; its key encrypts the connections.
    ///   - host: The address to listen on; nil for all addresses of this machine.
    ///   - port: The port; 0 for any free port.
    ///   - fallsBack: Whether to listen on any free port if `port` is in use.
    ///   - configuration: The limits and preferences.
    ///   - body: Uses the listener.
    /// - Returns: The result of `body`.
    /// - Throws: ``PeerError`` with ``PeerError/Code/cannotListen`` if the port is in use; the error of `body`.
    public static func with<Result: Sendable>(
        local: LocalPeer,
        host: String? = nil,
        port: Int = 0,
        orAnyFree fallsBack: Bool = false,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        body: (PeerListener) async throws -> Result
    ) async throws -> Result {
        let security = try TransportSecurity(identity: local.identity, application: local.application)
        let accepted = AcceptedChannels()
        // A connection that nothing uses would stay open.
        defer { accepted.closeAll() }
        let server: NIOAsyncChannel<FrameConnection, Never>
        func bind(_ port: Int) async throws -> NIOAsyncChannel<FrameConnection, Never> {
            try await Self.bind(host, port, accepted) { channel in
                try .makeAccepted(
                    channel,
                    application: local.application,
                    configuration: configuration,
                    security: security
                )
            }
        }
        do {
            server = try await bind(port)
        } catch let error as PeerError where fallsBack && (error.cause as? IOError)?.errnoCode == EADDRINUSE {
            server = try await bind(0)
        }
        let channel = server.channel
        guard let bound = channel.localAddress?.port else {
            throw PeerError(.cannotListen, "The port of the listening socket is not known.")
        }
        return try await server.executeThenClose { connections in
            try await body(
                PeerListener(port: bound, connections: connections) { channel.close(mode: .all, promise: nil) }
            )
        }
    }

    /// Runs `body` for each connection that an admission lets in, in a task of its own and with the number under which
    /// the admission knows it.
    ///
    /// `body` tells the admission when the connection has ended. Returns when this is stopped or the task is cancelled, and all
    /// connections have ended.
    func forEachConnection(
        admittedBy admission: Admission,
        _ body: @escaping @Sendable (_ connection: FrameConnection, _ number: Int) async -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            do {
                var number = 0
                for try await connection in connections {
                    number += 1
                    let end: @Sendable () -> Void = { connection.abort() }
                    guard admission.connected(number, from: connection.addressKey, end: end) else {
                        connection.abort()
                        continue
                    }
                    group.addTask { [number] in await body(connection, number) }
                }
            } catch is CancellationError {
                return
            } catch {
                group.cancelAll()
                throw PeerError(.cannotListen, "The listening socket has failed.", cause: error)
            }
        }
    }

    private static func bind(
        _ host: String?,
        _ port: Int,
        _ accepted: AcceptedChannels,
        _ make: @escaping @Sendable (any Channel) throws -> FrameConnection
    ) async throws -> NIOAsyncChannel<FrameConnection, Never> {
        guard (0...65_535).contains(port) else {
            throw PeerError(.invalidArgument, "\(port) is not a port.", remedy: "Ports go from 0 to 65535.")
        }
        // A program that is started again gets its port, although connections of the last run are still in TIME_WAIT.
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // A socket on :: accepts IPv4 too; a machine without IPv6 has only 0.0.0.0.
        let hosts = host.map { [$0] } ?? ["::", "0.0.0.0"]
        var failure: (any Error)?
        for host in hosts {
            do {
                return try await bootstrap.bind(host: host, port: port) { channel in
                    accepted.insert(channel)
                    return channel.eventLoop.makeCompletedFuture { try make(channel) }
                }
            } catch {
                failure = error
                // On 0.0.0.0 alone, peers that connect by IPv6 would reach the other program.
                if (error as? IOError)?.errnoCode == EADDRINUSE { break }
            }
        }
        throw cannotListen(port, failure)
    }

    private static func cannotListen(_ port: Int, _ cause: (any Error)?) -> PeerError {
        switch (cause as? IOError)?.errnoCode {
        case EADDRINUSE:
            PeerError(
                .cannotListen,
                "Port \(port) is in use by another program.",
                remedy: "Choose another port.",
                cause: cause
            )
        case EACCES:
            PeerError(
                .cannotListen,
                "Port \(port) is reserved for the system.",
                remedy: "Choose a port above 1023.",
                cause: cause
            )
        default: PeerError(.cannotListen, "Cannot listen on port \(port).", cause: cause)
        }
    }
}

/// The open connections of a listener.
private final class AcceptedChannels: Sendable {
    private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])

    func insert(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLockedValue { $0[id] = channel }
        channel.closeFuture.whenComplete { _ in self.channels.withLockedValue { $0[id] = nil } }
    }

    func closeAll() {
        for channel in channels.withLockedValue({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
