import Logging
import NIOConcurrencyHelpers
package import NIOCore
import NIOPosix

/// The TCP side of a receiver: opens a connection to a peer.
struct PeerConnector: Sendable {
    let application: PeerServiceType
    let configuration: ConnectionConfiguration
    /// The hello that this side sends first in plain text; nil for a further connection of a running transfer.
    ///
    /// With a greeting, a connection in plain text is open only when the other side has sent its preface.
    var greeting: Hello?
    var logger = Logger(label: "PeerCore.connector")
    /// What the connection is for.
    var use = ConnectionUse.transfer
    /// Called when an address has accepted a connection, before the peer is authenticated.
    var accepted: @Sendable () -> Void = {}

    private enum Event: Sendable {
        case connected(Int, FrameConnection)
        case failed(Int, PeerError)
        case time
    }

    // An interface may get its address two seconds after the cable is plugged in, while the race runs.
    /// The interval at which the connector asks for new addresses.
    private static let lookInterval: Duration = .milliseconds(500)
    // Each look may bring new addresses, and a race must not grow without end.
    /// The number of addresses above which the connector does not ask for new ones.
    private static let maximumAddresses = 1000

    /// Opens a connection to the peer, trying several addresses at the same time.
    ///
    /// The first connection on which the peer is authenticated is used, and the others are closed. An address at which
    /// another program answers is treated like one without an answer.
    ///
    /// - Parameters:
    ///   - firstAddresses: The addresses of the peer, the most promising first.
    ///   - security: The encryption; nil for plain text.
    ///   - expected: The only peer that is accepted; nil for any.
    ///   - lookAgain: Called twice per second; returns the current addresses of the peer. New ones are tried too.
    /// - Returns: The connection, open for frames.
    /// - Throws: ``ConnectFailure`` if no address leads to the peer; `CancellationError`.
    func connect(
        to firstAddresses: [SocketAddress],
        security: TransportSecurity?,
        expecting expected: ExpectedPeer?,
        lookingAgain lookAgain: (@Sendable () -> [SocketAddress])? = nil
    ) async throws -> FrameConnection {
        var addresses = firstAddresses
        var race = ConnectionRace(count: addresses.count, timeout: configuration.connectingTimeout, now: .now)
        var failures: [Int: PeerError] = [:]
        var nextLook = ContinuousClock.now + Self.lookInterval
        let winner = await withTaskGroup(of: Event.self) { group -> FrameConnection? in
            while !Task.isCancelled {
                if let lookAgain, nextLook <= .now, addresses.count < Self.maximumAddresses {
                    let new = lookAgain().filter { !addresses.contains($0) }
                    addresses += new
                    race.add(new.count)
                    nextLook = .now + Self.lookInterval
                }
                switch race.next(at: .now) {
                case .start(let position):
                    let address = addresses[position]
                    group.addTask { await attempt(position, address, security, expected) }
                    continue
                case .wait(let time):
                    let time = lookAgain == nil ? time : min(time, nextLook)
                    group.addTask {
                        try? await Task.sleep(until: time, clock: .continuous)
                        return .time
                    }
                case .giveUp:
                    for position in await closeAll(&group) {
                        // The time is over, so an attempt that is still running counts as one without an answer.
                        failures[position] = PeerError(.cannotConnect, "", cause: ChannelError.connectTimeout(.zero))
                    }
                    return nil
                }
                switch await group.next() {
                case .connected(_, let connection):
                    await closeAll(&group)
                    return connection
                case .failed(let position, let error):
                    failures[position] = error
                    race.failed(position, at: .now, mayRepeat: error.isNetworkNotReady)
                case .time, nil:
                    break
                }
            }
            await closeAll(&group)
            return nil
        }
        if let winner { return winner }
        try Task.checkCancellation()
        throw ConnectFailure(
            attempts: failures.sorted { $0.key < $1.key }.map { position, error in
                ConnectFailure.Attempt(address: addresses[position], error: error)
            },
            addressCount: addresses.count
        )
    }

    /// Ends all attempts, those included that have just succeeded; returns which were still running.
    @discardableResult
    private func closeAll(_ group: inout TaskGroup<Event>) async -> [Int] {
        group.cancelAll()
        var running: [Int] = []
        for await event in group {
            switch event {
            case .connected(let position, let connection):
                connection.abort()
                running.append(position)
            case .failed(let position, _):
                running.append(position)
            case .time:
                break
            }
        }
        return running
    }

    private func attempt(
        _ position: Int,
        _ address: SocketAddress,
        _ security: TransportSecurity?,
        _ expected: ExpectedPeer?
    ) async -> Event {
        let metadata: Logger.Metadata = ["address": "\(address.displayText)", "peer": "\(expected?.short ?? "any")"]
        logger.debug("connection attempt started", metadata: metadata)
        do {
            let connection = try await open(address, security, expected)
            logger.debug("connection attempt succeeded", metadata: metadata)
            return .connected(position, connection)
        } catch {
            logger.debug(
                "connection attempt failed",
                metadata: metadata.merging(["error": "\(error)"]) { $1 }
            )
            return .failed(position, error)
        }
    }

    /// Opens a connection to an address and waits until the peer has proved itself.
    private func open(
        _ address: SocketAddress,
        _ security: TransportSecurity?,
        _ expected: ExpectedPeer?
    ) async throws(PeerError) -> FrameConnection {
        let opening = NIOLockedValueBox(Opening())
        let result: Result<FrameConnection, PeerError> = await withTaskCancellationHandler {
            let connection: FrameConnection
            let start = ContinuousClock.now
            do {
                connection = try await connect(to: address, opening, security, expected)
            } catch {
                return .failure(PeerError(connecting: error))
            }
            accepted()
            // The handshake takes a few times the way that the connection took, and a lost packet of it as much again.
            let limit = max(configuration.securingTimeout, (.now - start) * 4)
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
            let channel = opening.withLockedValue { opening in
                opening.isCancelled = true
                return opening.channel
            }
            channel?.close(promise: nil)
        }
        return try result.get()
    }

    private func connect(
        to address: SocketAddress,
        _ opening: NIOLockedValueBox<Opening>,
        _ security: TransportSecurity?,
        _ expected: ExpectedPeer?
    ) async throws -> FrameConnection {
        try Task.checkCancellation()
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(configuration.connectTimeout))
            .connect(to: address) { [application, configuration, greeting, use] channel in
                // The attempt may have been cancelled before there was a channel to close.
                let isCancelled = opening.withLockedValue { opening in
                    opening.channel = channel
                    return opening.isCancelled
                }
                guard !isCancelled else { return channel.eventLoop.makeFailedFuture(CancellationError()) }
                return channel.eventLoop.makeCompletedFuture {
                    try FrameConnection.makeConnecting(
                        channel,
                        application: application,
                        configuration: configuration,
                        security: security,
                        expecting: expected,
                        greeting: greeting,
                        use: use
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

/// Finds out whether a peer answers at an address.
package enum AddressProbe {
    /// Connects, waits until the other side has proved a key of its own, and disconnects.
    ///
    /// This machine uses a new key, so that the other side cannot recognise it. No message is sent after the handshake, so the
    /// other side asks nobody and shows nothing.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - application: The application that should answer.
    /// - Throws: ``PeerError`` that says who or what answers instead; `CancellationError`.
    package static func probe(at address: SocketAddress, application: PeerServiceType) async throws {
        let identity = try PeerIdentity.generate(for: application)
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = ConnectionConfiguration.patientConnectTimeout
        let connector = PeerConnector(application: application, configuration: configuration)
        do {
            let connection = try await connector.connect(
                to: [address],
                security: try TransportSecurity(identity: identity, application: application),
                expecting: nil
            )
            connection.abort()
        } catch let failure as ConnectFailure {
            throw failure.error
        }
    }
}

/// The only peer that a connector accepts: the one with an id, the one that a share link names, or the one that is
/// both.
package struct ExpectedPeer: Hashable, Sendable {
    private let id: PeerID?
    private let prefix: PeerIDPrefix?

    /// Creates an expectation; nil if any peer is acceptable.
    package init?(id: PeerID?, prefix: PeerIDPrefix? = nil) {
        guard id != nil || prefix != nil else { return nil }
        self.id = id
        self.prefix = prefix
    }

    /// Returns whether the peer with an id is acceptable.
    package func accepts(_ other: PeerID) -> Bool {
        (id == nil || id == other) && prefix?.matches(other) != false
    }

    /// The start of the id, for people.
    package var short: String { id?.short ?? prefix?.short ?? "" }
}
