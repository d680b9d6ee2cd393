import PeerCore

/// Opens connections.
struct Dialer: Sendable {
    /// Why a known peer is dialed.
    enum Reason: Sendable {
        /// A call of the application waits for the peer, so the attempt need not wait for its turn.
        case call
        /// There is a link, which is being resumed.
        case link
        /// Neither.
        case wish
    }

    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    /// Limits how many peers are dialed automatically at once.
    private let pace = DialPace()

    init(_ configuration: PeerSession.Configuration, _ transport: any PeerTransport) {
        self.configuration = configuration
        self.transport = transport
    }

    private var clock: any PeerClock { transport.clock }

    /// Opens a connection.
    ///
    /// - Throws: ``PeerError`` if no address leads to the peer.
    func open(_ destination: Destination) async throws(PeerError) -> any PeerConnection {
        var addresses = transport.networks.nearby(destination.addresses, local: destination.localAddresses)
        for text in destination.texts {
            let resolved = try? await PeerAddress(parsing: text)?.resolve()
            for address in resolved ?? [] where !addresses.contains(address) { addresses.append(address) }
        }
        guard !addresses.isEmpty else {
            throw destination.addresses.isEmpty ? .noAddress : .noAddressNearby
        }
        return try await transport.connect(
            local: configuration.local,
            to: addresses,
            expecting: destination.expected,
            configuration: configuration.connections
        )
    }

    /// Closes a connection that nobody needs; the transport relies on every connection being run.
    func drop(_ connection: any PeerConnection) async {
        connection.abort()
        await connection.run { _ in }
    }

    /// Opens a connection to a known peer after a pause and in its turn, unless the attempt is stopped first.
    ///
    /// - Parameters:
    ///   - pause: The pause.
    ///   - stop: Stops the attempt.
    ///   - reason: Says why the peer is dialed, after the pause.
    ///   - destination: Says where it is dialed, when its turn has come.
    /// - Returns: The connection, or why there is none.
    func attempt(
        after pause: Duration,
        until stop: ReadyQueue<Void>,
        _ reason: @escaping @Sendable () async -> Reason,
        _ destination: @escaping @Sendable () async -> Destination
    ) async -> Result<any PeerConnection, PeerError> {
        await stoppable {
            await Result { () async throws(PeerError) in
                do { try await clock.sleep(for: pause) } catch { throw .taskCancelled }
                return try await openInTurn(await reason(), destination)
            }
        } by: {
            _ = await stop.next()
        } late: { result in
            if case .success(let connection) = result { await drop(connection) }
        } ?? .failure(.taskCancelled)
    }

    private func openInTurn(
        _ reason: Reason,
        _ destination: @Sendable () async -> Destination
    ) async throws(PeerError) -> any PeerConnection {
        // The limit is for attempts that no call of the application waits for.
        if reason == .call { return try await open(await destination()) }
        let hasLink = reason == .link
        guard await pace.begin(hasLink: hasLink) else { throw .taskCancelled }
        let end = clock.now + DialPace.shortestTurn
        do {
            let connection = try await open(await destination())
            pace.end(hasLink: hasLink)
            return connection
        } catch {
            if hasLink {
                pace.end(hasLink: hasLink)
            } else {
                // Otherwise a flood of announced or introduced peers could make this machine dial without pauses.
                _ = clock.schedule(at: end) { [pace] in pace.end(hasLink: hasLink) }
            }
            throw error
        }
    }
}
