import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The members of the group, and links with introduced members.
extension SessionHub {
    /// How long an unknown peer's request for a link waits for the peer's introduction.
    static let introductionTimeout: Duration = .seconds(3)

    /// Notes that a connection carries the link with a peer from now on.
    func joinedGroup(_ id: PeerID) {
        roster.connected(id, at: clock.now)
        spreadRecords()
    }

    /// Notes that no connection carries the link with a peer any more.
    func leftGroup(_ id: PeerID) {
        perform(roster.disconnected(id, at: clock.now))
    }

    /// Processes the member records that have arrived over a link.
    func processRecords(of link: LinkDriver) {
        // The link may have ended while its records waited for the hub.
        guard peers[link.peer]?.link === link else { return }
        perform(roster.received(link.members.take(), from: link.peer, at: clock.now))
    }

    private func perform(_ actions: [RosterStateMachine.Action]) {
        for action in actions {
            switch action {
            case .introduce(let id): introduce(id)
            case .remove(let id, let isOwnWord): remove(id, isOwnWord: isOwnWord)
            case .update(let id): showAgain(id)
            case .forget(let id): forgetMember(id)
            }
        }
        spreadRecords()
    }

    /// Sends the records that peers still need; records that a link cannot take wait for the next call.
    func spreadRecords() {
        // Most peers get the same records, so these are encoded only once.
        var last: (records: [MemberRecord], payloads: [ByteBuffer]) = ([], [])
        for id in roster.peersToTell {
            // What a peer still needs stays in the roster as a set of ids. So a slow peer gets only the newest records, and no
            // queue grows.
            guard let link = peers[id]?.link, link.takesMembers else { continue }
            let records = roster.takeRecords(for: id)
            if records != last.records { last = (records, (try? MemberList.payloads(of: records)) ?? []) }
            link.tell(members: last.payloads)
        }
        if roster.takeChange() { states.setLinks(roster.links) }
    }

    /// Makes a link with a member that was introduced.
    private func introduce(_ id: PeerID) {
        guard !hasLeft, id != localID, let member = roster.members[id] else { return }
        var entry = peers[making: id]
        guard let actions = entry.machine.introduced(at: clock.now) else { return }
        logger.debug("introduced", metadata: ["peer": "\(id.short)", "by": "\(member.introducer?.short ?? "")"])
        entry.sightedName = entry.sightedName ?? member.record.displayName
        peers[id] = entry
        perform(actions, id)
        let waiting = connections.awaitingIntroduction(of: id)
        guard let waiting, let terms = waiting.terms else { return }
        waiting.conversation.introduced(at: clock.now)
        let number = waiting.number
        // This is a separate job, because the certificate handler may block.
        work.add { await self.receivedLinkOfIntroduced(terms, number) }
    }

    /// Returns the newest addresses of a member, because it may have moved since the last attempt.
    func memberAddresses(of id: PeerID, in networks: LocalNetworks) -> [String] {
        guard let member = roster.members[id] else { return [] }
        let introducer = member.introducer.flatMap { address(of: $0) } ?? ""
        return networks.nearby(member.record.addresses, remote: introducer)
    }

    /// Answers the request of a member that was introduced after it requested a link.
    private func receivedLinkOfIntroduced(_ terms: LinkTerms, _ number: Int) async {
        if await isWelcomeAsIntroduced(number) { receivedLink(terms, number) }
    }

    /// Asks the certificate handler again if the peer was introduced after the first answer, and declines a refused peer.
    ///
    /// The first answer was for another relation: the application may refuse introduced peers only.
    ///
    /// - Returns: Whether the peer is accepted.
    func isWelcomeAsIntroduced(_ number: Int) async -> Bool {
        guard let introduction = introduction(number) else { return true }
        let refusal: Refusal?
        do {
            refusal = try await work.callOut { [check = configuration.checkCertificate] in
                await check(introduction.remote, introduction.certificate, introduction.relation)
            }
        } catch {
            end(number) { $0.lost() }
            return false
        }
        // The connection may have ended while the handler ran.
        guard connections[number]?.isFinished == false else { return false }
        if let refusal {
            decline(number, refusal)
            return false
        }
        connections[number]?.relation = introduction.relation
        return true
    }

    /// The arguments for asking the certificate handler again about a peer.
    ///
    /// - Returns: nil if the peer was not introduced after the handler's first answer.
    private func introduction(
        _ number: Int
    ) -> (remote: RemotePeer, certificate: [UInt8], relation: PeerRelation)? {
        guard let record = connections[number], record.relation == .invitesUs, let remote = record.remote else {
            return nil
        }
        let relation = relation(remote.id, isOutgoing: record.isOutgoing)
        guard case .introduced = relation else { return nil }
        return (remote, record.certificate, relation)
    }

    /// The address from which a peer is connected.
    private func address(of id: PeerID) -> String? {
        peers[id]?.carrier.flatMap { connections[$0]?.connection.remoteAddress }
    }

    /// Handles the departure of a member from the group.
    private func remove(_ id: PeerID, isOwnWord: Bool) {
        guard peers[id] != nil else { return }
        apply(id) { $0.removed(isOwnWord: isOwnWord, at: clock.now) }
        forget(id)
    }

    private func forgetMember(_ id: PeerID) {
        logger.debug("forgotten", metadata: ["peer": "\(id.short)"])
        guard peers[id] != nil else { return }
        apply(id) { $0.forgotten(at: clock.now) }
        forget(id)
    }

    /// Retries members without a link, and forgets those with which no other member is connected.
    func lookAtMembers(at now: ContinuousClock.Instant) {
        roster.tick(at: now)
        guard !hasLeft else { return spreadRecords() }
        let policy = configuration.reconnection
        let patience = RosterStateMachine.Patience(absence: policy.memory, pause: policy.latePause)
        let actions = roster.lookAtAbsent(at: now, patience: patience) { id in
            peers[id]?.obstacle ?? .none
        }
        perform(actions)
    }

    /// The relation to a peer whose connection has just been opened.
    func relation(_ id: PeerID, isOutgoing: Bool) -> PeerRelation {
        peers[making: id].machine.relation(isOutgoing: isOutgoing, introducer: roster.members[id]?.introducer)
    }

    /// The addresses at which this machine listens now.
    var ownAddresses: [PeerAddress] { transport.listeningAddresses(port: presence.port) }

    /// Updates this machine's own record with the addresses at which it listens now.
    func noteOwnAddresses() {
        roster.ownChanged(
            displayName: configuration.local.displayName,
            addresses: Array(ownAddresses.map(\.text).prefix(LinkTerms.maximumAddressCount)),
            at: clock.now
        )
    }

    /// Tells the members that this machine is leaving.
    func announceLeaving() {
        guard !hasLeft else { return }
        roster.leave()
        spreadRecords()
    }
}
