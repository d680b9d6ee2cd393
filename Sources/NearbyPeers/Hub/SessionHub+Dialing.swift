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
    func scheduleDial(_ name: MeetingConnection, yields: Bool, _ id: PeerID) {
        guard var record = peers[id], !hasLeft else { return }
        // If a call of the application waits, the pauses are short.
        let isLate = if case .unreachable = record.state { record.wishes.waiting.isEmpty } else { false }
        let pause = configuration.reconnection.pause(
            before: record.attempts.count,
            isLate: isLate,
            random: Double(transport.random() >> 11) / Double(UInt64(1) << 53)
        )
        // The peer dials at once. This side waits, so that the two connections do not cross.
        let wait = yields ? max(pause, .seconds(1)) : pause
        record.attempts.count += 1
        let stop = ReadyQueue<Void>()
        record.attempts.stop = stop
        peers[id] = record
        showProgress(.dialing, of: id)
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
        guard let record = peers[id] else { return Destination() }
        let networks = transport.networks
        return Destination(
            addresses: record.addresses,
            localAddresses: record.localAddresses,
            texts: record.givenAddresses + networks.nearby(record.namedAddresses, remote: record.remoteAddress)
                + memberAddresses(of: id, in: networks),
            expected: ExpectedPeer(id: id)
        )
    }

    /// Opens a connection to a known peer; waits for its turn unless a call of the application waits for the peer.
    private func openInTurn(_ id: PeerID) async throws(PeerError) -> any PeerConnection {
        let isAwaited = peers[id]?.isAwaited == true
        let hasLink = peers[id]?.link != nil
        if !isAwaited {
            guard await pace.begin(hasLink: hasLink) else { throw .taskCancelled }
        }
        logger.debug("attempt", metadata: ["peer": "\(id.short)"])
        // The limit is for attempts that no call of the application waits for.
        guard !isAwaited else { return try await open(destination(of: id)) }
        let end = clock.now + DialPace.shortestTurn
        do {
            let connection = try await open(destination(of: id))
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
            guard !hasLeft, case .outgoing = name, isPending(name, id) else {
                connection.abort()
                return await connection.run { _ in }
            }
            let number = makeNumber()
            peers[id]?.connections[name] = number
            peers[id]?.attempts.stop = nil
            let hasToken = peers[id]?.wishes.token != nil
            register(connection, number, name: name, dialed: id, hasToken: hasToken)
            await run(connection, number)
        case .failure(let error):
            dialFailed(name, id, error)
        }
    }

    /// Whether an attempt has no connection yet.
    private func isPending(_ name: MeetingConnection, _ id: PeerID) -> Bool {
        guard let record = peers[id] else { return false }
        return record.meeting.outgoing?.connection == name && record.connections[name] == nil
    }

    private func dialFailed(_ name: MeetingConnection, _ id: PeerID, _ error: PeerError) {
        logger.debug("attempt failed", metadata: ["peer": "\(id.short)", "error": "\(error)"])
        guard isPending(name, id) else { return }
        peers[id]?.attempts.error = error
        giveUpIfHopeless(id, error)
        meet(id) { $0.closed(name) }
        giveUpUnknownLink(of: id)
        noteDisconnection(of: id)
    }

    /// Gives up a link that only the peer has, after three failed attempts.
    ///
    /// Otherwise nothing would end the attempts.
    private func giveUpUnknownLink(of id: PeerID) {
        guard let record = peers[id], record.link == nil, record.meeting.link?.wasConnected == false,
            record.attempts.count >= 3
        else { return }
        meet(id) { $0.linkGivenUp() }
    }

    /// Runs a connection to a peer whose id is not known yet.
    ///
    /// The connection becomes the attempt for the wish, unless there is a link or another connection with the peer.
    func identify(_ connection: any PeerConnection, _ call: IdentityCall) {
        let number = makeNumber()
        register(connection, number, hasToken: call.wish.token != nil)
        identities[number] = call
        guard !spawn({ await self.run(connection, number) }) else { return }
        // The session has ended, so the job does not run.
        connection.abort()
        closed(number)
    }

    /// Makes a connection of this side the attempt for a wish, once its peer is known.
    func adopt(_ number: Int, _ id: PeerID, _ incarnation: Incarnation) {
        guard let call = identities.removeValue(forKey: number) else { return end(number) { $0.lost() } }
        prepareWish(for: id, call.wish, call.destination)
        peers[id]?.wishes.waiting[call.number] = call.continuation
        var record = makeRecord(id)
        let step = record.meeting.wished()
        peers[id] = record
        let attempt: MeetingConnection? =
            if case .dial(let name, _) = step.action { name } else { record.meeting.outgoing?.connection }
        if let name = attempt, isPending(name, id) {
            // Replace an attempt that is still pausing or connecting.
            peers[id]?.attempts.stop?.finish()
            peers[id]?.attempts.stop = nil
            peers[id]?.connections[name] = number
            connections[number]?.name = name
            meet(id) { $0.dialed(name, incarnation) }
        } else {
            // There is a link or an attempt already.
            end(number) { $0.lost() }
            perform(step, id)
        }
    }
}
