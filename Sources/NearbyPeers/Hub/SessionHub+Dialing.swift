import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Attempts to connect.
extension SessionHub {
    /// The addresses at which a peer is dialed.
    struct Destination: Sendable {
        /// The addresses from announcements; only those on networks of this machine are dialed.
        var addresses: [SocketAddress] = []
        /// Those of these addresses that a program on this machine has announced.
        var localAddresses: [SocketAddress] = []
        /// Further addresses as text, all of which are dialed.
        var texts: [String] = []
        var expected: ExpectedPeer?
        /// The name from discovery.
        var name: String?
    }

    /// Dials a peer after a pause.
    func dial(_ name: MeetingConnection, _ dial: PeerAction.Dial, _ id: PeerID) {
        guard !hasLeft else { return }
        let pause = configuration.reconnection.pause(
            before: dial.count,
            isLate: dial.isLate,
            random: Double(transport.random() >> 11) / Double(UInt64(1) << 53)
        )
        // The peer dials at once. This side waits, so that the two connections do not cross.
        let wait = dial.yields ? max(pause, .seconds(1)) : pause
        let stop = ReadyQueue<Void>()
        peers[id]?.stop = stop
        spawn {
            let result = await self.stoppable(stop) { () async throws(PeerError) in
                do {
                    try await self.clock.sleep(for: wait)
                } catch {
                    throw .taskCancelled
                }
                return try await self.openInTurn(id)
            }
            await self.dialed(result, name, id)
        }
    }

    /// Returns the addresses at which a known peer is dialed.
    func destination(of id: PeerID) -> Destination {
        guard let addresses = peers[id]?.addresses else { return Destination() }
        let networks = transport.networks
        return Destination(
            addresses: addresses.found,
            localAddresses: addresses.local,
            texts: addresses.given + networks.nearby(addresses.named, remote: addresses.remote)
                + memberAddresses(of: id, in: networks),
            expected: ExpectedPeer(id: id)
        )
    }

    /// Opens a connection to a known peer; waits for its turn unless a call of the application waits for the peer.
    private func openInTurn(_ id: PeerID) async throws(PeerError) -> any PeerConnection {
        let isAwaited = peers[id]?.machine.isAwaited == true
        let hasLink = peers[id]?.link != nil
        if !isAwaited {
            guard await work.pace.begin(hasLink: hasLink) else { throw .taskCancelled }
        }
        logger.debug("attempt", metadata: ["peer": "\(id.short)"])
        // The limit is for attempts that no call of the application waits for.
        guard !isAwaited else { return try await open(destination(of: id)) }
        let end = clock.now + DialPace.shortestTurn
        do {
            let connection = try await open(destination(of: id))
            work.pace.end(hasLink: hasLink)
            return connection
        } catch {
            if hasLink {
                work.pace.end(hasLink: hasLink)
            } else {
                // Otherwise a flood of announced or introduced peers could make this machine dial without pauses.
                _ = clock.schedule(at: end) { [pace = work.pace] in pace.end(hasLink: hasLink) }
            }
            throw error
        }
    }

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

    /// Opens a connection, unless the attempt is stopped first.
    private nonisolated func stoppable(
        _ stop: ReadyQueue<Void>,
        _ open: @escaping @Sendable () async throws(PeerError) -> any PeerConnection
    ) async -> Result<any PeerConnection, PeerError> {
        await withTaskGroup(of: Result<any PeerConnection, PeerError>?.self) { group in
            group.addTask {
                do throws(PeerError) {
                    return .success(try await open())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                _ = await stop.next()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The connection may have opened at the moment at which the attempt was stopped.
            for await late in group {
                guard case .success(let connection)? = late else { continue }
                connection.abort()
                await connection.run { _ in }
            }
            return .failure(.taskCancelled)
        }
    }

    /// Handles the result of a dial; runs a new connection until it is closed.
    private func dialed(_ result: Result<any PeerConnection, PeerError>, _ name: MeetingConnection, _ id: PeerID) async
    {
        switch result {
        case .success(let connection):
            // The attempt may have been replaced or withdrawn while the connection was being opened.
            guard !hasLeft, peers[id]?.machine.opened(name) == true else {
                connection.abort()
                return await connection.run { _ in }
            }
            let number = makeNumber()
            peers[id]?.connections[name] = number
            peers[id]?.stop = nil
            let hasToken = peers[id]?.machine.request.token != nil
            register(connection, number, name: name, dialed: id, hasToken: hasToken)
            await run(connection, number)
        case .failure(let error):
            logger.debug("attempt failed", metadata: ["peer": "\(id.short)", "error": "\(error)"])
            guard peers[id] != nil else { return }
            apply(id) { $0.dialFailed(name, error, isInRoster: isInRoster(id), at: clock.now) }
        }
    }

    /// Runs a connection to a peer whose id is not known yet.
    ///
    /// The connection becomes the attempt for the wish, unless there is a link or another connection with the peer.
    func identify(_ connection: any PeerConnection, _ call: IdentityCall) {
        let number = makeNumber()
        register(connection, number, hasToken: call.request.token != nil)
        connections[number]?.call = call
        guard !spawn({ await self.run(connection, number) }) else { return }
        // The session has ended, so the job does not run.
        connection.abort()
        closed(number)
    }

    /// Makes a connection of this side the attempt for a wish, once its peer is known.
    func adopt(_ number: Int, _ id: PeerID, _ incarnation: Incarnation) {
        guard let call = connections[number]?.call else { return end(number) { $0.lost() } }
        connections[number]?.call = nil
        var entry = makeEntry(id)
        entry.addresses.add(call.destination)
        if let name = call.destination.name { entry.sightedName = name }
        entry.calls[call.number] = call.continuation
        let (name, actions) = entry.machine.adopted(call.request, by: call.number, at: clock.now)
        guard let name else {
            // There is a link or another connection already.
            peers[id] = entry
            end(number) { $0.lost() }
            return perform(actions, id)
        }
        // Replace an attempt that is still pausing or connecting.
        entry.stop?.finish()
        entry.stop = nil
        entry.connections[name] = number
        peers[id] = entry
        connections[number]?.name = name
        meet(id) { $0.dialed(name, incarnation) }
    }
}
