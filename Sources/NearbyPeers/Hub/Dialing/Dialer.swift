import PeerCore

typealias DialResult = Result<any PeerConnection, PeerError>

/// Opens connections.
struct Dialer: Sendable {
    let configuration: PeerSession.Configuration
    let transport: any PeerTransport
    /// Limits how many peers are dialed automatically at once.
    let pace = DialPace()

    /// Opens a connection; fails if no address leads to the peer.
    func open(_ destination: Destination) async throws(PeerError) -> any PeerConnection {
        var addresses = transport.networks.nearby(destination.addresses, local: destination.localAddresses)
        for text in destination.texts {
            let resolved = try? await PeerAddress(parsing: text)?.resolve()
            for address in resolved ?? [] where !addresses.contains(address) { addresses.append(address) }
        }
        guard !addresses.isEmpty else { throw destination.addresses.isEmpty ? .noAddress : .noAddressNearby }
        return try await transport.connect(
            local: configuration.local,
            to: addresses,
            expecting: destination.expected,
            configuration: configuration.connections
        )
    }

    /// Closes a connection that is not needed, and runs it, for the transport waits until every connection has been run.
    func drop(_ connection: any PeerConnection) async {
        connection.abort()
        await connection.run { _ in }
    }

    /// Opens a connection to a known peer after a pause and in its turn, unless the attempt is stopped first.
    func attempt(
        after pause: Duration,
        until stop: ReadyQueue<Void>,
        _ urgency: @escaping @Sendable () async -> (isAwaited: Bool, hasLink: Bool),
        _ destination: @escaping @Sendable () async -> Destination
    ) async -> DialResult {
        await stoppable {
            await Result { () async throws(PeerError) in
                do { try await transport.clock.sleep(for: pause) } catch { throw .taskCancelled }
                return try await openInTurn(await urgency(), destination)
            }
        } by: {
            _ = await stop.next()
        }.value
    }

    private func openInTurn(
        _ urgency: (isAwaited: Bool, hasLink: Bool),
        _ destination: @Sendable () async -> Destination
    ) async throws(PeerError) -> any PeerConnection {
        // The limit is for attempts that no call of the application waits for.
        if urgency.isAwaited { return try await open(await destination()) }
        let hasLink = urgency.hasLink
        guard await pace.begin(hasLink: hasLink) else { throw .taskCancelled }
        let end = transport.clock.now + DialPace.minimumSlotTime
        do {
            let connection = try await open(await destination())
            pace.end(hasLink: hasLink)
            return connection
        } catch {
            if hasLink {
                pace.end(hasLink: hasLink)
            } else {
                // Otherwise a flood of announced or introduced peers could make this machine dial without pauses.
                _ = transport.clock.schedule(at: end) { [pace] in pace.end(hasLink: hasLink) }
            }
            throw error
        }
    }
}
