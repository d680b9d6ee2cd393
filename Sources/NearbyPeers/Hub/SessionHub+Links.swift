import FoundationEssentials
import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// How links are made, lost, resumed and given up.
extension SessionHub {
    /// Requests a link on a connection that this side has dialed.
    func sendRequest(_ request: Link, _ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name] else { return }
        let isResuming = peers[id]?.meeting.link?.epoch == request.epoch
        let link = isResuming ? peers[id]?.link : nil
        // If the time for resuming has just ended, `lost` makes a new link.
        guard let received = link.map({ $0.prepare() }) ?? 0 else { return end(number) { $0.lost() } }
        let terms = terms(request, received: received)
        act(number) { $0.requestLink(terms, at: clock.now) }
    }

    private func terms(_ link: Link, received: UInt64) -> LinkTerms {
        let types = inboxes.types.compactMap { name, version in
            LinkName(name).map { MessageType(name: $0, version: version) }
        }
        return LinkTerms(
            epoch: UInt64(link.epoch),
            connectionCount: UInt64(link.connectionCount),
            received: received,
            window: limits.firstWindow,
            maximumMessageLength: limits.maximumMessageLength,
            messageTypes: types,
            addresses: Array(ownAddresses.map(\.text).prefix(LinkTerms.maximumAddressCount))
        )
    }

    /// Lets a connection carry the link from now on.
    func establish(_ name: MeetingConnection, _ answer: Link?, _ id: PeerID) {
        guard var record = peers[id], let number = record.connections[name], let connection = connections[number],
            let terms = connection.terms
        else { return }
        let isNew = record.link == nil
        let link =
            record.link
            ?? LinkDriver(
                with: id,
                local: localID,
                limits: limits,
                terms: terms,
                inboxes: inboxes,
                clock: clock,
                notify: { [weak self] link, notice in
                    self?.received(notice, from: link)
                }
            )
        var ownTerms: LinkTerms?
        if let answer {
            guard let received = isNew ? 0 : link.prepare() else {
                // The time for resuming has just ended: `lost` makes a new link.
                return end(number) { $0.lost() }
            }
            ownTerms = self.terms(answer, received: received)
        }
        let returns = isNew && record.wasLinked
        record.link = link
        record.wasLinked = true
        record.lostSince = nil
        // Numbers of connections rise, so late events of older connections have no effect on the link.
        record.attachCount += 1
        record.givenAddresses = []
        record.namedAddresses = terms.addresses
        record.remoteAddress = connection.connection.remoteAddress
        record.attempts = PeerRecord.Attempts()
        if connection.conversation.state.isConfirmed || connection.remote?.admittedByLink == true {
            record.isVerified = true
        }
        peers[id] = record
        // The answer must be sent before the link is attached, because attaching writes records, and no record may precede the
        // answer.
        connection.conversation.link(answering: ownTerms, at: clock.now)
        // Links do not count among the connections that wait. Their number has a limit of its own.
        if let place = connection.place { _ = admission.linked(place) }
        board.set(link, for: id)
        link.attach(to: connection.connection, record.attachCount, received: terms.received)
        // Set after the link is attached: a frame that arrives before this goes through the hub, and waits there.
        connection.route.set(link, record.attachCount)
        resources.attached(
            link,
            record.attachCount,
            listens: !connection.isOutgoing,
            addresses: connection.isOutgoing ? [connection.connection.remoteAddress] : []
        )
        joinedGroup(id)
        show(.connected, of: id)
        if returns { board.report(.returned(id)) }
        fulfilWishes(of: id)
        measure(connection.connection, link)
    }

    /// Measures the round trip, which decides how windows grow.
    func measure(_ connection: any PeerConnection, _ link: LinkDriver) {
        spawn {
            if let time = await connection.roundTrip() { link.note(roundTrip: time) }
        }
    }

    /// Ends a link; all calls that wait for it fail.
    func endLink(of id: PeerID, _ error: PeerError) {
        guard let link = peers[id]?.link else { return }
        peers[id]?.link = nil
        peers[id]?.lostSince = clock.now
        board.set(nil, for: id)
        link.end(error)
        resources.ended(link)
    }

    /// Ends a link for good, with all attempts to make it again.
    func giveUp(_ id: PeerID, _ error: PeerError, _ reason: DisconnectReason) {
        endLink(of: id, error)
        meet(id) { $0.linkGivenUp() }
        withdrawWish(of: id)
        failWishes(of: id, error)
        show(.disconnected(reason), of: id)
    }

    /// Handles a notice of a link; called without its lock, on any thread.
    nonisolated func received(_ notice: LinkNotice, from link: LinkDriver) {
        let id = link.peer
        switch notice {
        case .violated(let error):
            spawn { await self.violated(link, error) }
        case .lost:
            spawn { await self.lost(link) }
        case .unread(let name):
            logger.notice("messages are not read", metadata: ["message": "\(name)", "peer": "\(id.short)"])
            board.report(.unread(message: name, from: id))
        case .notUnderstood(let name, let version):
            board.report(.notUnderstood(message: name, version: version, from: id))
        case .request(let stream, let name):
            inboxes.add(Inboxes.PendingRequest(link: link, stream: stream), named: name.text)
        case .stream(let opening):
            let stream = PeerStream(
                name: opening.name,
                metadata: Data(opening.metadata.readableBytesView),
                number: opening.stream,
                link: link
            )
            inboxes.add(stream)
        case .withdrawn(let stream):
            inboxes.withdraw(stream, of: link)
        case .resource(let notice):
            resources.received(notice, on: link)
        case .members(let list):
            switch link.members.add(list.members) {
            case .process: spawn { await self.processRecords(of: link) }
            case .violated:
                let error = ProtocolError(.limitExceeded, "The other side names more members than a group can have.")
                spawn { await self.violated(link, error) }
            case .none: break
            }
        }
    }

    private func violated(_ link: LinkDriver, _ error: ProtocolError) {
        let id = link.peer
        guard peers[id]?.link === link else { return }
        guard let name = peers[id]?.meeting.link?.connection, let number = peers[id]?.connections[name] else {
            // The connection has ended in the meantime, but the link must not be resumed on another one.
            let error = PeerError(.protocolViolation, error.message, cause: error)
            return giveUp(id, error, .failed(error))
        }
        violate(number, error)
    }

    /// Ends a link that had no connection for too long, and tries to make a new one.
    private func lost(_ link: LinkDriver) {
        let id = link.peer
        guard peers[id]?.link === link else { return }
        // Other members say that the peer has left. Now that the link could not be resumed, this is believed.
        guard !roster.isSaidToHaveLeft(id) else {
            return giveUp(id, PeerError(.peerCancelled, "The other side has left."), .left(""))
        }
        endLink(of: id, .linkLost)
        meet(id) { $0.linkGivenUp() }
        show(.unreachable(since: clock.now), of: id)
        // The peer may have restarted, so it is invited. If it has not restarted, it still knows this side.
        peers[id]?.wishes.isOwn = true
        meet(id) { $0.wished() }
    }

    /// Shows a peer's state to the application.
    func show(_ state: PeerState, of id: PeerID) {
        guard peers[id] != nil else { return }
        peers[id]?.state = state
        guard let record = peers[id] else { return }
        let member = roster.members[id]
        board.update(
            SessionPeer(
                id: id,
                displayName: record.remote?.displayName ?? record.sightedName ?? id.short,
                platform: record.remote?.platform ?? member?.record.platform ?? "",
                software: record.remote?.software ?? member?.record.software ?? "",
                state: state,
                isVerified: record.isVerified,
                introducer: member?.introducer
            )
        )
    }

    /// Shows the progress of a first link; a link that is being resumed or made again has a state of its own.
    func showProgress(_ stage: PeerState.Stage, of id: PeerID) {
        switch peers[id]?.state {
        case .connecting?, .disconnected?: show(.connecting(stage), of: id)
        case .connected?, .reconnecting?, .unreachable?, nil: break
        }
    }

    /// Shows the peer's state after a connection or an attempt has ended.
    func noteDisconnection(of id: PeerID) {
        guard let record = peers[id] else { return }
        let isMeeting = record.meeting.wish != nil || record.meeting.incoming != nil || record.meeting.outgoing != nil
        switch record.state {
        case .connected where !record.meeting.isLinked && record.link != nil:
            show(.reconnecting(since: clock.now), of: id)
        case .connecting where record.link == nil && !isMeeting:
            show(.disconnected(record.attempts.error.map { .failed($0) } ?? .lost), of: id)
        default: break
        }
    }

    /// Ends the link with a peer, and refuses the peer until it is invited again or the session ends.
    func disconnect(_ id: PeerID, telling reason: String) {
        var record = makeRecord(id)
        record.blockNumber = makeNumber()
        peers[id] = record
        sayGoodbye(to: id, reason)
        giveUp(id, .notConnected, .leftByUs)
        // Another connection may be about to carry a link.
        let pending = connections.values.filter { $0.peer == id && !$0.isFinished }.map(\.number).sorted()
        for number in pending { decline(number, .disconnected) }
        show(.disconnected(.leftByUs), of: id)
    }

    private func sayGoodbye(to id: PeerID, _ reason: String) {
        guard let name = peers[id]?.meeting.link?.connection, let number = peers[id]?.connections[name] else { return }
        end(number) { $0.cancel(Cancellation(reason: reason)) }
        connections[number]?.name = nil
        peers[id]?.connections[name] = nil
    }

    /// The shortest time that peers get to receive the goodbye of this machine.
    static let farewellTime: Duration = .milliseconds(250)

    /// Tells the peers that this machine is leaving, and ends the session.
    ///
    /// - Parameters:
    ///   - reason: What the peers are told.
    ///   - limit: How long connections may take to close, whatever peers and handlers do.
    func leave(telling reason: String, within limit: Duration) async {
        guard !hasLeft else { return }
        // The record must precede the goodbyes, which end the links.
        announceLeaving()
        hasLeft = true
        endAnnouncements()
        handlers.endAll()
        for id in Array(peers.keys) {
            sayGoodbye(to: id, reason)
            giveUp(id, .notConnected, .leftByUs)
        }
        for number in connections.keys.sorted() where connections[number]?.isFinished == false {
            end(number) { $0.lost() }
        }
        // The peers close their connections when they have received the goodbye. The limit ends the wait for those that do not.
        if !isAtRest {
            let cancelTimer = clock.schedule(at: clock.now + limit) {
                self.spawn { await self.noteRest(evenIfBusy: true) }
            }
            await withCheckedContinuation { whenAtRest = $0 }
            cancelTimer()
        }
        stopWork()
    }

    private var isAtRest: Bool { connections.isEmpty && pinCount == 0 }

    /// Ends the wait of ``leave(telling:within:)`` if nothing is left to wait for, or if it has lasted too long.
    func noteRest(evenIfBusy: Bool = false) {
        guard isAtRest || evenIfBusy else { return }
        whenAtRest?.resume()
        whenAtRest = nil
    }
}
