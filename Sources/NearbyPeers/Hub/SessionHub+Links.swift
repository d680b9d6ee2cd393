import FoundationEssentials
import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// How links are made, lost and resumed.
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
        let link = entry.link ?? makeLink(id, terms)
        var ownTerms: LinkTerms?
        if let answer {
            // If the time for resuming has just ended, `lost` makes a new link.
            guard let received = isNew ? 0 : link.prepare() else { return end(number) { $0.lost() } }
            ownTerms = self.terms(answer, received: received)
        }
        entry.attach(connection, terms, link)
        peers[id] = entry
        // The answer must be sent before the link is attached, because attaching writes records, and no record may precede the
        // answer.
        connection.conversation.link(answering: ownTerms, at: clock.now)
        // Links do not count among the connections that wait. Their number has a limit of its own.
        if let slot = connection.slot { _ = admission.linked(slot) }
        states.set(link, for: id)
        link.attach(to: connection.connection, entry.attachCount, received: terms.received)
        // Set after the link is attached: a frame that arrives before this goes through the hub, and waits there.
        connection.route.set(link, entry.attachCount)
        connection.connection.passLinkFrames { [route = connection.route] in route.take($0) }
        resources.attached(
            link,
            entry.attachCount,
            listens: !connection.isOutgoing,
            addresses: connection.isOutgoing ? [connection.connection.remoteAddress] : []
        )
        roster.connected(id, at: clock.now)
        spreadRecords()
        apply(id) { $0.established(at: clock.now) }
        // The round trip decides how windows grow.
        work.add { [connection = connection.connection] in
            if let time = await connection.roundTrip() { link.note(roundTrip: time) }
        }
    }

    private func makeLink(_ id: PeerID, _ terms: LinkTerms) -> LinkDriver {
        LinkDriver(
            with: id,
            local: localID,
            limits: limits,
            terms: terms,
            inboxes: inboxes,
            loss: states.loss(of: id),
            clock: clock,
            notify: { [weak self] link, notice in self?.received(notice, from: link) }
        )
    }

    /// Handles a notice of a link; called without its lock, on any thread.
    private nonisolated func received(_ notice: LinkState.Notice, from link: LinkDriver) {
        let id = link.peer
        switch notice {
        case .violated, .lost: work.add { await self.handle(notice, of: link) }
        case .unread(let name):
            logger.notice("messages are not read", metadata: ["message": "\(name)", "peer": "\(id.short)"])
            states.report(.unread(name, from: id))
        case .notUnderstood(let name, let version):
            states.report(.notUnderstood(message: name, version: version, from: id))
        case .request(let request):
            guard !inboxes.add(Inboxes.PendingRequest(link: link, request: request)) else { return }
            reportUnread(request.name.text, link)
        case .requestWithdrawn(let number): inboxes.withdraw(request: number, of: link)
        case .stream(let opening):
            if !inboxes.streams.isRead { reportUnread(opening.name, link) }
            let metadata = Data(opening.metadata.readableBytesView)
            inboxes.add(PeerStream(name: opening.name, metadata: metadata, number: opening.stream, link: link))
        case .withdrawn(let stream): inboxes.withdraw(stream, of: link)
        case .resource(let notice):
            if case .offer(let offer) = notice.verb, !resources.offers.isRead { reportUnread(offer.name, link) }
            resources.received(notice, on: link)
        case .members(let list):
            switch link.members.add(list.members) {
            case .process: work.add { await self.handle(notice, of: link) }
            case .violated:
                let error = ProtocolError(.limitExceeded, "The other side names more members than a group can have.")
                work.add { await self.handle(.violated(error), of: link) }
            case .none: break
            }
        }
    }

    private nonisolated func reportUnread(_ name: String, _ link: LinkDriver) {
        if link.allowsReport(name) { states.report(.unread(name, from: link.peer)) }
    }

    private func handle(_ notice: LinkState.Notice, of link: LinkDriver) {
        let id = link.peer
        // The link may have ended while the notice waited for the hub.
        guard peers[id]?.link === link else { return }
        switch notice {
        case .members: processRecords(of: link)
        case .lost:
            let hasLeft = roster.isSaidToHaveLeft(id)
            apply(id) { $0.linkLost(hasLeft: hasLeft, at: clock.now) }
        case .violated(let error):
            if let number = peers[id]?.carrier { return violate(number, error) }
            // The connection has ended in the meantime, but the link must not be resumed on another one.
            let error = PeerError(.protocolViolation, error.message, cause: error)
            apply(id) { $0.giveUp(error, .failed(error), at: clock.now) }
        default: break
        }
    }

    /// Detaches a connection from the link that it carries, if there is one.
    func detach(_ record: ConnectionRecord) {
        record.invitationEnded?.finish()
        guard let (link, attachment) = record.route.clear() else { return }
        link.detach(from: attachment)
        resources.detached(link, attachment)
        perform(roster.disconnected(link.peer, at: clock.now))
    }

    /// Ends a link; all calls that wait for it fail.
    func endLink(of id: PeerID, _ error: PeerError) {
        guard let link = peers[id]?.link else { return }
        peers[id]?.link = nil
        states.set(nil, for: id)
        link.end(error)
        resources.ended(link)
    }

    /// How many connections carry the link with each peer.
    var carrierCounts: [PeerID: Int] { connections.carrierCounts }

    /// What has gone over the link with a peer, and what waits; nil if there is no link.
    func statistics(of id: PeerID) -> PeerStatistics? {
        guard let entry = peers[id], let link = entry.link else { return nil }
        return link.inspect { state in
            PeerStatistics(
                bytesSent: state.traffic.sent,
                bytesReceived: state.traffic.received,
                bytesWaiting: state.records.keptLength + state.streams.outgoingLength,
                connectionCount: Int(clamping: entry.attachCount),
                roundTrip: state.isRoundTripKnown ? state.roundTrip : nil
            )
        }
    }

    /// Measures the round trip on the connection that carries a link.
    func roundTrip(to id: PeerID, _ timeout: Duration) async throws(PeerError) -> Duration {
        guard let connection = peers[id]?.carrier.flatMap({ connections[$0]?.connection }) else {
            throw hasLeft ? .sessionEnded : .notConnected
        }
        let late = PeerError(.timedOut, "The other side did not answer in time.")
        let time = try await clock.within(timeout, orThrow: late) { () async throws(PeerError) in
            await connection.roundTrip()
        }
        guard let time else { throw .notConnected }
        return time
    }
}
