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
        let isResuming = peers[id]?.machine.meeting.link?.epoch == request.epoch
        let link = isResuming ? peers[id]?.link : nil
        // If the time for resuming has just ended, `lost` makes a new link.
        guard let received = link.map({ $0.prepare() }) ?? 0 else { return end(number) { $0.lost() } }
        let terms = terms(request, received: received)
        act(number) { $0.requestLink(terms, at: clock.now) }
    }

    private var limits: LinkLimits { LinkLimits(configuration) }

    private func terms(_ link: Link, received: UInt64) -> LinkTerms {
        LinkTerms(link, received: received, limits, types: inboxes.types, addresses: ownAddresses)
    }

    /// Lets a connection carry the link from now on.
    func establish(_ name: MeetingConnection, _ answer: Link?, _ id: PeerID) {
        guard var entry = peers[id] else { return }
        // The link was given up while this action waited. Its connection is closed by an action behind this one.
        guard entry.machine.meeting.link?.connection == name else { return }
        guard let number = entry.connections[name], let connection = connections[number], !connection.isFinished,
            let terms = connection.terms
        else {
            // The conversation has ended meanwhile, so its connection must not carry a link.
            peers[id]?.connections[name] = nil
            return apply(id) { $0.notEstablished(name, at: clock.now) }
        }
        let isNew = entry.link == nil
        let link =
            entry.link
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
        entry.attach(connection, terms, link)
        peers[id] = entry
        // The answer must be sent before the link is attached, because attaching writes records, and no record may precede the
        // answer.
        connection.conversation.link(answering: ownTerms, at: clock.now)
        // Links do not count among the connections that wait. Their number has a limit of its own.
        if let place = connection.place { _ = admission.linked(place) }
        states.set(link, for: id)
        link.attach(to: connection.connection, entry.attachCount, received: terms.received)
        // Set after the link is attached: a frame that arrives before this goes through the hub, and waits there.
        connection.route.set(link, entry.attachCount)
        resources.attached(
            link,
            entry.attachCount,
            listens: !connection.isOutgoing,
            addresses: connection.isOutgoing ? [connection.connection.remoteAddress] : []
        )
        joinedGroup(id)
        apply(id) { $0.established(at: clock.now) }
        measure(connection.connection, link)
    }

    /// Measures the round trip, which decides how windows grow.
    func measure(_ connection: any PeerConnection, _ link: LinkDriver) {
        work.add {
            if let time = await connection.roundTrip() { link.note(roundTrip: time) }
        }
    }

    /// Handles a notice of a link; called without its lock, on any thread.
    nonisolated func received(_ notice: LinkNotice, from link: LinkDriver) {
        let id = link.peer
        switch notice {
        case .violated(let error):
            work.add { await self.violated(link, error) }
        case .lost:
            work.add { await self.lost(link) }
        case .unread(let name):
            logger.notice("messages are not read", metadata: ["message": "\(name)", "peer": "\(id.short)"])
            states.report(.unread(message: name, from: id))
        case .notUnderstood(let name, let version):
            states.report(.notUnderstood(message: name, version: version, from: id))
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
            case .process: work.add { await self.processRecords(of: link) }
            case .violated:
                let error = ProtocolError(.limitExceeded, "The other side names more members than a group can have.")
                work.add { await self.violated(link, error) }
            case .none: break
            }
        }
    }

    private func violated(_ link: LinkDriver, _ error: ProtocolError) {
        let id = link.peer
        guard peers[id]?.link === link else { return }
        guard let number = peers[id]?.carrier else {
            // The connection has ended in the meantime, but the link must not be resumed on another one.
            let error = PeerError(.protocolViolation, error.message, cause: error)
            return apply(id) { $0.giveUp(error, .failed(error), at: clock.now) }
        }
        violate(number, error)
    }

    /// Ends a link that had no connection for too long, and tries to make a new one.
    private func lost(_ link: LinkDriver) {
        let id = link.peer
        guard peers[id]?.link === link else { return }
        let hasLeft = roster.isSaidToHaveLeft(id)
        apply(id) { $0.linkLost(hasLeft: hasLeft, at: clock.now) }
    }

    /// Ends the link with a peer, and refuses the peer until it is invited again or the session ends.
    func disconnect(_ id: PeerID, telling reason: String) {
        sayGoodbye(to: id, reason)
        let call = connections.makeNumber()
        apply(id) { $0.disconnected(by: call, at: clock.now) }
        // Another connection may be about to carry a link.
        for number in connections.unfinished(with: id) { decline(number, .disconnected) }
        apply(id) { $0.show(.disconnected(.leftByUs)) }
    }

    private func sayGoodbye(to id: PeerID, _ reason: String) {
        guard let name = peers[id]?.machine.meeting.link?.connection, let number = peers[id]?.connections[name] else {
            return
        }
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
        departure.hasLeft = true
        presence.endAnnouncements()
        work.handlers.endAll()
        for id in peers.ids {
            sayGoodbye(to: id, reason)
            apply(id) { $0.giveUp(.notConnected, .leftByUs, at: clock.now) }
        }
        for number in connections.unfinished() {
            end(number) { $0.lost() }
        }
        // The peers close their connections when they have received the goodbye. The limit ends the wait for those that do not.
        if !isAtRest {
            let cancelTimer = clock.schedule(at: clock.now + limit) {
                self.work.add { await self.noteRest(evenIfBusy: true) }
            }
            await withCheckedContinuation { departure.whenAtRest = $0 }
            cancelTimer()
        }
        work.finish()
    }

    private var isAtRest: Bool { connections.isEmpty && departure.pinCount == 0 }

    /// Ends the wait of ``leave(telling:within:)`` if nothing is left to wait for, or if it has lasted too long.
    func noteRest(evenIfBusy: Bool = false) {
        guard isAtRest || evenIfBusy else { return }
        departure.rest()
    }
}
