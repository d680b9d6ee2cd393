import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// One attempt of a connector: it opens a connection to an address, and waits until the peer has proved itself.
///
/// An attempt may need several connections. All but one are closed before anything but TLS is sent over them.
struct ConnectionAttempt: Sendable {
    private let connector: PeerConnector
    private let address: SocketAddress
    private let security: TransportSecurity?
    private let expected: ExpectedPeer?

    // The kernel repeats a lost first packet after one and three seconds. A fresh socket has a short timer for what follows, too.
    /// When further sockets begin to connect beside the first one.
    private static let delays: [Duration] = [.zero, .seconds(1), .seconds(2)]

    private typealias Outcome = Result<FrameConnection, PeerError>

    init(
        _ connector: PeerConnector,
        to address: SocketAddress,
        _ security: TransportSecurity?,
        expecting expected: ExpectedPeer?
    ) {
        (self.connector, self.address, self.security, self.expected) = (connector, address, security, expected)
    }

    /// Makes the attempt.
    func run() async -> Result<FrameConnection, PeerError> {
        let peer = expected?.short ?? "any"
        var metadata: Logger.Metadata = ["address": "\(address.displayText)", "peer": "\(peer)"]
        connector.logger.debug("connection attempt started", metadata: metadata)
        let outcome = await open()
        switch outcome {
        case .success(let connection):
            metadata["smallSegments"] = "\(connection.usesSmallSegments)"
            connector.logger.debug("connection attempt succeeded", metadata: metadata)
        case .failure(let error):
            metadata["error"] = "\(error)"
            connector.logger.debug("connection attempt failed", metadata: metadata)
        }
        return outcome
    }

    private func open() async -> Outcome {
        let start = ContinuousClock.now
        let connection: FrameConnection
        do {
            connection = try await connect(usesSmallSegments: connector.usesSmallSegments)
        } catch {
            return .failure(PeerError(connecting: error))
        }
        connector.accepted()
        let limit = limit(since: start)
        guard security != nil, !connector.usesSmallSegments else { return await prove(connection, within: limit) }
        let patience = SmallSegments.patience(afterOpening: .now - start, within: limit)
        return await first([
            { await prove(connection, within: limit) },
            { await openWithSmallSegments(beside: connection, after: patience) },
        ])
    }

    /// Opens a second connection if nothing has come over the first one; nil if that is not so.
    private func openWithSmallSegments(beside first: FrameConnection, after patience: Duration) async -> Outcome? {
        guard await first.isSilent(for: patience) else { return nil }
        connector.logger.debug("trying small segments", metadata: ["address": "\(address.displayText)"])
        let start = ContinuousClock.now
        do {
            let connection = try await connect(usesSmallSegments: true)
            return await prove(connection, within: limit(since: start))
        } catch {
            return .failure(PeerError(connecting: error))
        }
    }

    // The handshake takes a few times the way that the connection took, and a lost packet of it as much again.
    private func limit(since start: ContinuousClock.Instant) -> Duration {
        max(connector.configuration.securingTimeout, (.now - start) * 4)
    }

    /// Returns the first success of several ways, and ends the others; or the most telling failure.
    ///
    /// A way that is nil was not taken.
    private func first(_ ways: [@Sendable () async -> Outcome?]) async -> Outcome {
        await withTaskGroup(of: Outcome?.self) { group in
            for way in ways { group.addTask { await way() } }
            var failure: PeerError?
            var winner: FrameConnection?
            for await case let outcome? in group {
                switch outcome {
                case .success(let connection) where winner == nil:
                    winner = connection
                    group.cancelAll()
                // Both came at the same time.
                case .success(let connection): connection.abort()
                case .failure(let error): failure = ConnectFailure.moreTelling(failure, error)
                }
            }
            if let winner { return .success(winner) }
            return .failure(failure ?? PeerError(connecting: CancellationError()))
        }
    }

    /// Waits until the peer has proved itself; closes the connection if it does not, or if the task is cancelled.
    private func prove(_ connection: FrameConnection, within limit: Duration) async -> Outcome {
        await withTaskCancellationHandler {
            do {
                let late = security == nil ? PeerError.saidNothing : PeerError.deadline(.securing)
                try await connection.proved(within: limit, orThrow: late)
                return .success(connection)
            } catch {
                let failure = PeerError(proving: error)
                let answer = UnexpectedAnswer(failure, on: connection)
                connection.abort()
                return .failure(answer.map { PeerError($0) } ?? failure)
            }
        } onCancel: {
            connection.abort()
        }
    }

    /// Opens a connection over the first of several sockets that connects.
    private func connect(usesSmallSegments: Bool) async throws -> FrameConnection {
        let timeout = connector.configuration.connectTimeout
        return try await withThrowingTaskGroup(of: FrameConnection.self) { group in
            for delay in Self.delays where delay < timeout {
                group.addTask {
                    try await Task.sleep(for: delay)
                    return try await dial(within: timeout - delay, usesSmallSegments)
                }
            }
            var winner: FrameConnection?
            var failure: any Error = CancellationError()
            while let result = await group.nextResult() {
                switch result {
                case .success(let connection) where winner == nil: winner = connection
                case .success(let connection): connection.abort()
                case .failure(let error) where winner == nil && failure is CancellationError: failure = error
                case .failure: break
                }
                // A failure is an answer, or the end of the time of all.
                group.cancelAll()
            }
            guard let winner else { throw failure }
            return winner
        }
    }

    private func dial(within timeout: Duration, _ usesSmallSegments: Bool) async throws -> FrameConnection {
        let opening = NIOLockedValueBox(Opening())
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await dial(opening, within: timeout, usesSmallSegments)
        } onCancel: {
            let channel = opening.withLockedValue { opening in
                opening.isCancelled = true
                return opening.channel
            }
            channel?.close(promise: nil)
        }
    }

    private func dial(
        _ opening: NIOLockedValueBox<Opening>,
        within timeout: Duration,
        _ usesSmallSegments: Bool
    ) async throws -> FrameConnection {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(timeout))
            .connect(to: address) { [connector, security, expected] channel in
                // The attempt may have been cancelled before there was a channel to close.
                let isCancelled = opening.withLockedValue { opening in
                    opening.channel = channel
                    return opening.isCancelled
                }
                guard !isCancelled else { return channel.eventLoop.makeFailedFuture(CancellationError()) }
                return channel.eventLoop.makeCompletedFuture {
                    try FrameConnection.makeConnecting(
                        channel,
                        application: connector.application,
                        configuration: connector.configuration,
                        security: security,
                        expecting: expected,
                        greeting: connector.greeting,
                        use: connector.use,
                        usesSmallSegments: usesSmallSegments
                    )
                }
            }
    }

    /// A channel that is being opened, and whether it still should be.
    private struct Opening {
        var channel: (any Channel)?
        var isCancelled = false
    }
}
