import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Connections, from their beginning until the peer is known.
extension SessionHub {
    /// A connection was accepted: runs it until it is closed.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - place: The number under which the admission knows it.
    func accepted(_ connection: any PeerConnection, _ place: Int) async {
        guard !hasLeft else {
            connection.abort()
            return await connection.run { _ in }
        }
        let number = makeNumber()
        register(connection, number, place: place)
        await run(connection, number)
    }

    /// Notes a connection that is about to run.
    func register(
        _ connection: any PeerConnection,
        _ number: Int,
        place: Int? = nil,
        name: MeetingConnection? = nil,
        dialed: PeerID? = nil
    ) {
        let isOutgoing = place == nil
        var hello = configuration.local.hello(configuration.connections, as: isOutgoing ? .receiver : .sender)
        hello.features = [Hello.sessionsFeature]
        hello.incarnation = incarnation
        let now = clock.now
        connections[number] = ConnectionRecord(
            number: number,
            connection: connection,
            place: place,
            dialed: dialed,
            name: name,
            handshake: HandshakeStateMachine(hello: hello),
            timing: ConnectionTiming(
                deadline: now + configuration.connections.securingTimeout,
                keepAlive: KeepAliveStateMachine(
                    interval: configuration.connections.keepAliveInterval,
                    silence: configuration.connections.silenceTimeout,
                    start: now
                ),
                nextKeepAlive: now
            )
        )
    }

    /// Runs a connection until it is closed.
    func run(_ connection: any PeerConnection, _ number: Int) async {
        guard let route = connections[number]?.route else { return }
        await connection.run { event in
            if case .frame(let frame) = event, route.take(frame) { return }
            await self.handle(event, number)
        }
        closed(number)
    }

    private func handle(_ event: PeerConnectionEvent, _ number: Int) async {
        guard connections[number]?.isFinished == false else { return }
        switch event {
        case .opened(let id, let certificate):
            opened(number, id, certificate)
        case .invalid(let error):
            violate(number, error)
        case .frame(let frame):
            // The link may have been attached while the frame waited for the hub.
            if connections[number]?.route.take(frame) == true { return }
            if connections[number]?.handshake.isConnected == true {
                await received(frame, number)
            } else {
                await receivedBeforeHello(frame, number)
            }
        }
    }

    private func opened(_ number: Int, _ id: PeerID, _ certificate: [UInt8]) {
        guard id != localID else {
            finish(number, nil)
            return failed(number, .invitesItself, wasLinked: false)
        }
        guard case .sendHello(let hello) = connections[number]?.handshake.start() else { return }
        connections[number]?.peer = id
        connections[number]?.certificate = certificate
        setDeadline(configuration.connections.handshakeTimeout, number)
        if let record = connections[number] {
            logger.debug(
                "connection is open",
                metadata: ["peer": "\(id.short)", "address": "\(record.connection.remoteAddress)"]
            )
            record.connection.send(.hello(hello))
            if record.isOutgoing { showProgress(.handshaking, of: id) }
        }
    }

    private func receivedBeforeHello(_ frame: Frame, _ number: Int) async {
        switch frame {
        case .hello(let hello):
            guard let id = connections[number]?.peer,
                let action = connections[number]?.handshake.receivedHello(hello, certificate: id)
            else { return }
            switch action {
            case .connect(let hello, _):
                // A task keeps its memory until it ends. The connection's task lives as long as the link; this one ends soon.
                await withDiscardingTaskGroup { $0.addTask { await self.introduced(number, hello, id) } }
            case .fail(let error): violate(number, error)
            }
        case .failure, .decline, .cancel:
            await received(frame, number)
        default:
            guard let error = connections[number]?.handshake.receivedOther(frame.type) else { return }
            violate(number, error)
        }
    }

    private func introduced(_ number: Int, _ hello: Hello, _ id: PeerID) async {
        guard hello.features.contains(Hello.sessionsFeature), let incarnation = hello.incarnation else {
            return fail(number, .noSessions)
        }
        guard let connection = connections[number]?.connection else { return }
        let known: PeerTrust
        do {
            known = try await callOut { [configuration] in
                try await configuration.trust.trust(of: id, callingItself: hello.displayName)
            }
        } catch is CancellationError {
            return finish(number, nil)
        } catch {
            return fail(number, PeerError(.localStorage, "The list of trusted peers cannot be read.", cause: error))
        }
        let remote = RemotePeer(
            id: id,
            displayName: hello.displayName,
            platform: hello.platform,
            software: hello.software,
            address: connection.remoteAddress,
            security: .encrypted(id),
            trust: known
        )
        if case .impostor(let name) = known {
            board.report(.refused(remote, .impostor(name)))
            return fail(number, .impostor(name), telling: .identityNotRecognized)
        }
        let certificate = connections[number]?.certificate ?? []
        let relation = relation(id, isOutgoing: connections[number]?.isOutgoing == true)
        let refusal: Refusal?
        do {
            refusal = try await callOut { [configuration] in
                await configuration.checkCertificate(remote, certificate, relation)
            }
        } catch {
            return finish(number, nil)
        }
        guard connections[number] != nil else { return }
        connections[number]?.incarnation = incarnation
        connections[number]?.remote = remote
        connections[number]?.relation = relation
        if let refusal { return decline(number, refusal) }
        note(remote)
        peers[id]?.maximumResourceSize = hello.maximumResourceSize
        // A later call with an address or a link unblocks the peer.
        if let block = peers[id]?.blockNumber, (identities[number]?.beginning ?? 0) < block {
            return decline(number, .disconnected)
        }
        guard connections[number]?.isOutgoing == true else {
            return setDeadline(configuration.connections.manifestTimeout, number)
        }
        setDeadline(configuration.connections.handshakeTimeout, number)
        spawn {
            let time = await connection.roundTrip()
            await self.tested(number, time)
        }
    }

    /// Notes what a peer states about itself.
    private func note(_ remote: RemotePeer) {
        var record = peers[remote.id] ?? makeRecord(remote.id)
        record.remote = remote
        if case .trusted = remote.trust { record.isVerified = true }
        peers[remote.id] = record
        if record.link != nil { show(record.state, of: remote.id) }
    }

    /// Returns the record of a peer, creating it.
    func makeRecord(_ id: PeerID) -> PeerRecord {
        peers[id] ?? PeerRecord(id: id, decides: localID.hex < id.hex)
    }

    /// The test of a connection that this side has dialed is over.
    private func tested(_ number: Int, _ time: Duration?) {
        guard let record = connections[number], !record.isFinished, let id = record.peer,
            let incarnation = record.incarnation
        else { return }
        guard time != nil else { return record.connection.abort() }
        guard let name = record.name else { return adopt(number, id, incarnation) }
        meet(id) { $0.dialed(name, incarnation) }
    }

    /// A connection has ended.
    func closed(_ number: Int) {
        notePairingFailure(number)
        guard let record = connections.removeValue(forKey: number) else { return }
        noteRest()
        record.digits.question?.finish()
        detach(record)
        identities.removeValue(forKey: number)?.continuation.resume(returning: .failure(.closedEarly))
        // An application that is slow to answer must not find more and more peers that are gone.
        if record.request != nil { inboxes.invitations.removeAll { $0.number == number } }
        guard let id = record.peer ?? record.dialed else { return }
        logger.debug("connection closed", metadata: ["peer": "\(id.short)"])
        if let name = record.name {
            peers[id]?.connections[name] = nil
            if record.isOutgoing, record.digits.digits != nil, !record.digits.isSettled { notePairingBreak(with: id) }
            meet(id) { $0.closed(name) }
        }
        noteDisconnection(of: id)
        forget(id)
    }

    /// Forgets a peer that never had a link; of the others, keeps the most recent ones.
    func forget(_ id: PeerID) {
        guard let record = peers[id], record.isIdle else { return }
        guard roster.members[id] == nil else { return }
        if !record.wasLinked, record.attempts.count == 0 || record.wasIntroduced, !record.isBlocked {
            peers[id] = nil
            board.remove(id)
        } else if peers.count > Self.maximumPeerCount {
            let idle = peers.values.filter { $0.isIdle && !$0.isBlocked && roster.members[$0.id] == nil }
            guard let oldest = idle.min(by: { ($0.lostSince ?? clock.now) < ($1.lostSince ?? clock.now) }) else {
                return
            }
            peers[oldest.id] = nil
            board.remove(oldest.id)
        }
    }

    /// How many peers a session remembers.
    private static let maximumPeerCount = 256

    /// A connection does not carry a link any more.
    private func detach(_ record: ConnectionRecord) {
        guard let (link, attachment) = record.route.clear() else { return }
        link.detach(from: attachment)
        resources.detached(link, attachment)
        leftGroup(link.peer)
    }

    /// Sets the time at which a connection ends unless it has come further by then.
    func setDeadline(_ duration: Duration?, _ number: Int) {
        connections[number]?.timing.deadline = duration.map { clock.now + $0 }
    }

    /// Sends a last word, and gives the peer a moment to close.
    func finish(_ number: Int, _ frame: Frame?) {
        guard let record = connections[number], !record.isFinished else { return }
        connections[number]?.isFinished = true
        record.digits.question?.finish()
        detach(record)
        guard let frame, record.peer != nil else { return record.connection.abort() }
        record.connection.send(frame)
        record.connection.finish()
        setDeadline(nil, number)
    }

    /// Ends a connection because of an error of this side, and tells the peer `told`, or `error`.
    func fail(_ number: Int, _ error: PeerError, telling told: PeerError? = nil) {
        guard let record = connections[number] else { return }
        logger.debug("connection failed", metadata: ["error": "\(error)", "peer": "\(record.peer?.short ?? "")"])
        let wasLinked = record.route.isSet
        let told = told ?? error
        finish(number, .failure(Failure(code: told.code.description, message: told.message, remedy: told.remedy)))
        failed(number, error, wasLinked: wasLinked)
    }

    /// Ends a connection on which the peer broke the protocol.
    func violate(_ number: Int, _ error: ProtocolError) {
        guard let record = connections[number] else { return }
        logger.notice(
            "the peer broke the protocol",
            metadata: ["error": "\(error)", "peer": "\(record.peer?.short ?? "")"]
        )
        let wasLinked = record.route.isSet
        notePairingFailure(number)
        finish(number, .failure(Failure(code: error.code.description, message: error.message)))
        failed(number, PeerError(.protocolViolation, error.message, cause: error), wasLinked: wasLinked)
    }

    /// Declines a peer before its frame reaches the meeting machine.
    func decline(_ number: Int, _ refusal: Refusal) {
        guard let record = connections[number] else { return }
        logger.debug("declined", metadata: ["code": "\(refusal.code)", "peer": "\(record.peer?.short ?? "")"])
        finish(number, .decline(refusal))
        failed(number, PeerError(refusal), wasLinked: false)
    }
}
