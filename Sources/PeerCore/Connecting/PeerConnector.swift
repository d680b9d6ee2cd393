import Logging
import NIOCore

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
    var use = SocketTuning.Use.transfer
    /// Called when an address has accepted a connection, before the peer is authenticated.
    var accepted: @Sendable () -> Void = {}

    /// Whether small segments are used from the start, because another connection to the same machine needs them.
    var usesSmallSegments = false

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

    /// Returns what opens the further connections of a transfer, to a sender that must prove the given id.
    static func openingLanes(
        _ application: PeerServiceType,
        _ configuration: ConnectionConfiguration,
        _ security: TransportSecurity?,
        _ logger: Logger
    ) -> @Sendable (SocketAddress, PeerID?, _ usesSmallSegments: Bool) async throws -> FrameConnection {
        { address, id, usesSmallSegments in
            var connector = PeerConnector(application: application, configuration: configuration, logger: logger)
            connector.usesSmallSegments = usesSmallSegments
            return try await connector.connect(to: [address], security: security, expecting: ExpectedPeer(id: id))
        }
    }

    /// Opens a connection to the peer, trying several addresses at the same time.
    ///
    /// The first connection on which the peer is authenticated is used, and the others are closed. An address at which another
    /// program answers is treated like one without an answer. `lookAgain` is called twice per second, and its new addresses are
    /// tried, too.
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
                    group.addTask {
                        let attempt = ConnectionAttempt(self, to: address, security, expecting: expected)
                        switch await attempt.run() {
                        case .success(let connection): return .connected(position, connection)
                        case .failure(let error): return .failed(position, error)
                        }
                    }
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
                case .time, nil: break
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
            case .failed(let position, _): running.append(position)
            case .time: break
            }
        }
        return running
    }
}
