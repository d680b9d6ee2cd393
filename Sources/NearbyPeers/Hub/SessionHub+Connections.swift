import Logging
import PeerCore
import PeerProtocol

/// Connections, and the events and ends of their conversations.
extension SessionHub {
    /// Runs an accepted connection, which has this slot in the admission, until it is closed.
    func accepted(_ connection: any PeerConnection, _ slot: Int) async {
        guard !hasLeft else { return await dialer.drop(connection) }
        let number = connections.makeNumber()
        register(connection, number, .accepted(slot: slot))
        await run(connection, number)
    }

    /// Registers a connection that is about to run.
    func register(_ connection: any PeerConnection, _ number: Int, _ origin: ConnectionRecord.Origin) {
        let environment = ConversationEnvironment(
            slot: origin.slot.map { ConversationEnvironment.Slot(admission, $0) },
            now: { [clock] in clock.now },
            trust: { id, name in try await self.trust(number, id, name) },
            check: { remote, hello in try await self.check(number, remote, hello) },
            pin: { remote in await self.pin(number, remote) }
        )
        var configuration = configuration
        configuration.local.displayName = states.ownName
        let record = ConnectionRecord(
            number,
            connection,
            origin,
            configuration,
            incarnation,
            environment,
            at: clock.now
        )
        record.conversation.whenSlotIsNeeded(invitation: { [weak self] in
            guard let self else { return }
            work.add { await self.makeRoom(number) }
        })
        connections[number] = record
    }

    /// Runs a connection until it is closed.
    func run(_ connection: any PeerConnection, _ number: Int) async {
        guard let route = connections[number]?.route else { return }
        await connection.run { event in
            // Frames of a link bypass the hub, so that no message waits for the hub's decisions.
            if case .frame(let frame) = event, route.take(frame) { return }
            await self.handle(event, number)
        }
        closed(number)
    }

    private func handle(_ event: PeerConnectionEvent, _ number: Int) async {
        guard let record = connections[number], !record.isFinished else { return }
        switch event {
        case .opened(let id, let certificate):
            connections[number]?.certificate = certificate
            // An address can lead back to this machine.
            guard id != localID else {
                end(number) { $0.lost() }
                return failed(number, .invitesItself)
            }
            act(number) { $0.opened(id, at: clock.now) }
            if record.isOutgoing, peers[id] != nil { apply(id) { $0.progressed(.handshaking) } }
        case .invalid(let error): violate(number, error)
        case .encryptionMismatch(let failure): act(number) { $0.refuseEncryption(telling: failure) }
        case .frame(let frame):
            // The link may have been attached while the frame waited for the hub.
            if record.route.take(frame) { return }
            guard !record.route.isSet else { return await received(frame, number) }
            // A task keeps its memory until it ends. The connection's task lives as long as the link; this one ends soon.
            await withDiscardingTaskGroup { $0.addTask { await self.received(frame, number) } }
        }
    }

    private func received(_ frame: Frame, _ number: Int) async {
        guard let conversation = connections[number]?.conversation else { return }
        for event in await conversation.received(frame, at: clock.now) {
            switch event {
            case .invited, .link: await answer(event, number)
            default: note(event, number)
            }
        }
    }

    /// Handles an invitation or a request for a link, unless the peer was introduced meanwhile and is refused as such.
    func answer(_ event: Conversation.Event, _ number: Int) async {
        guard await isWelcomeAsIntroduced(number) else { return }
        switch event {
        case .invited(let request): receivedInvite(request, number)
        case .link(let terms): receivedLink(terms, number)
        default: break
        }
    }

    /// Passes an event to a conversation, and handles the events that follow from it.
    func act(_ number: Int, _ event: (ConversationDriver) -> [Conversation.Event]) {
        guard let conversation = connections[number]?.conversation else { return }
        for event in event(conversation) { note(event, number) }
    }

    /// Ends a conversation for a reason that the hub handles itself, so the events that follow are ignored.
    func end(_ number: Int, _ event: (ConversationDriver) -> [Conversation.Event]) {
        guard let record = connections[number], !record.isFinished else { return }
        record.question?.finish()
        // The last word comes first: without its connection, the link may be given up, and with it this conversation.
        _ = event(record.conversation)
        detach(record)
    }

    private func note(_ event: Conversation.Event, _ number: Int) {
        guard let record = connections[number], let id = record.peer else { return }
        switch event {
        case .connected:
            guard record.isOutgoing, let incarnation = record.incarnation else { return }
            guard let name = record.name else { return adopt(number, id, incarnation) }
            meet(id) { $0.dialed(name, incarnation) }
        case .test: test(number, record.connection)
        case .digits(let digits):
            apply(id) { $0.progressed(.comparing(digits)) }
            work.add { await self.compare(number, id) }
        case .ask(let digits): asked(digits, number, id)
        case .accepted: if record.isOutgoing, let name = record.name { meet(id) { $0.receivedAccept(name) } }
        case .notIntroduced: decline(number, .notInvited)
        case .join(let secret): handOver(record) { .lane(secret, id, $0) }
        case .attach(let secret): handOver(record) { .attachment(secret, record.conversation.state, $0) }
        case .ended(let end): ended(number, end, record, id)
        case .frame(let frame): violate(number, .unexpected(frame.type))
        case .opened, .invited, .link, .silent: break
        }
    }

    /// Hands a connection that carries no link to the transfer or the resource that expects it.
    private func handOver(_ record: ConnectionRecord, _ make: (ConversationEnvironment.Slot) -> ConnectionHandover) {
        guard let slot = record.slot else { return record.connection.abort() }
        // The transfer or the resource owns the connection from now on, and `leave` does not wait for it.
        connections[record.number] = nil
        noteRest()
        record.connection.handOver(make(ConversationEnvironment.Slot(admission, slot)))
    }

    private func test(_ number: Int, _ connection: any PeerConnection) {
        work.add { [clock] in
            let isAlive = await connection.roundTrip() != nil
            await self.act(number) { $0.tested(isAlive: isAlive, at: clock.now) }
        }
    }

    /// Handles the end of a connection.
    func closed(_ number: Int) {
        guard let record = connections[number] else { return }
        let breaksComparison = record.isComparing
        end(number) { $0.lost() }
        connections[number] = nil
        noteRest()
        record.question?.finish()
        detach(record)
        calls.fail(connection: number, .closedEarly)
        // Otherwise invitations of peers that are gone would pile up before an application that answers slowly.
        if !record.isOutgoing, record.conversation.state.request != nil {
            inboxes.invitations.removeAll { $0.number == number }
        }
        guard let id = record.peer ?? record.dialed, peers[id] != nil else { return }
        logger.debug("connection closed", metadata: ["peer": "\(id.short)"])
        if let name = record.name { peers[id]?.connections[name] = nil }
        if breaksComparison { apply(id) { $0.comparisonBroke(at: clock.now) } }
        apply(id) { $0.closed(record.name, at: clock.now) }
        forget(id)
    }

    /// Handles the end of a conversation.
    func ended(_ number: Int, _ end: Conversation.End, _ record: ConnectionRecord, _ id: PeerID) {
        record.question?.finish()
        let isLinked = record.route.isSet
        if case .cancelledByPeer(let cancellation) = end, isLinked, let link = peers[id]?.link {
            // Records that arrived before the goodbye still count.
            processRecords(of: link)
            apply(id) { $0.show(.disconnected(DisconnectReason(cancellation))) }
        }
        detach(record)
        let error = end.error(cause: record.conversation.cause)
        let level: Logger.Level = if case .violated = end { .notice } else { .debug }
        let details: Logger.Metadata = ["error": "\(error?.code.description ?? "")", "peer": "\(id.short)"]
        logger.log(level: level, "conversation ended: \(end.logText)", metadata: details)
        if case .declined(let refusal) = end { return declined(number, refusal, record, id) }
        if case .declinedByPeer(let refusal) = end {
            calls.fail(connection: number, PeerError(refusal))
            let name = connections.unname(number, in: &peers[id])
            if peers[id] != nil { apply(id) { $0.declinedByPeer(refusal, on: name, at: clock.now) } }
        }
        if let error {
            if error.cause is ImpostorError, let remote = record.remote { states.report(.refused(remote, error)) }
            failed(number, error, isLinked ? end.reason(error) : nil)
        }
        // Whatever has ended it: three of them end the wish. Last, because the steps above may dial again.
        if record.isOutgoing, record.conversation.state.hasUnsettledDigits, peers[id] != nil {
            apply(id) { $0.comparisonBroke(at: clock.now) }
        }
    }

    /// Handles the end of a connection on which this side has declined.
    private func declined(_ number: Int, _ refusal: Refusal, _ record: ConnectionRecord, _ id: PeerID) {
        let nobodyCompares = configuration.admission.question == nil && record.isOutgoing && record.digits != nil
        let error = nobodyCompares && refusal.code == .notTrusted ? PeerError.nobodyCompares : PeerError(refusal)
        calls.fail(connection: number, error)
        let name = connections.unname(number, in: &peers[id])
        guard peers[id] != nil else { return }
        apply(id) { $0.declined(refusal, error, on: name, isOutgoing: record.isOutgoing, at: clock.now) }
    }

    /// Handles the failure of a connection; the reason says why there is no link any more, if the connection carried it.
    func failed(_ number: Int, _ error: PeerError, _ reason: DisconnectReason? = nil) {
        calls.fail(connection: number, error)
        guard let id = connections[number]?.peer, peers[id] != nil else { return }
        if let reason { return apply(id) { $0.giveUp(error, reason, at: clock.now) } }
        let name = connections.unname(number, in: &peers[id])
        apply(id) { $0.failed(name, error, isInRoster: isInRoster(id), at: clock.now) }
    }

    /// Declines what the peer asks for on a connection.
    func decline(_ number: Int, _ refusal: Refusal) { act(number) { $0.decline(refusal) } }

    /// Declines what the peer asks for because other peers have the slots: that is no failed pairing.
    func makeRoom(_ number: Int) {
        connections[number]?.conversation.settlePairing()
        decline(number, .full)
    }

    /// Ends a connection on which the peer broke the protocol.
    func violate(_ number: Int, _ error: ProtocolError) { act(number) { $0.receivedInvalid(error) } }
}
