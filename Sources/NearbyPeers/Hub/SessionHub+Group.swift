import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// The members of the group, and links with introduced members.
extension SessionHub {
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
        perform(roster.received(link.members.take(), from: link.peer, at: clock.now))
    }

    private func perform(_ actions: [RosterStateMachine.Action]) {
        for action in actions {
            switch action {
            case .introduce(let id): introduce(id)
            case .update(let id): showAgain(id)
            case .remove(let id, let isOwnWord): part(with: id) { $0.removed(isOwnWord: isOwnWord, at: clock.now) }
            case .forget(let id): part(with: id) { $0.forgotten(at: clock.now) }
            }
        }
        spreadRecords()
    }

    /// Sends the records that peers still need; records that a link cannot take wait for the next call.
    func spreadRecords() {
        roster.spread { peers[$0]?.link }
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

    /// The address from which a peer is connected.
    private func address(of id: PeerID) -> String? {
        peers[id]?.carrier.flatMap { connections[$0]?.connection.remoteAddress }
    }

    /// Handles the departure of a member from the group, or forgets it.
    private func part(with id: PeerID, _ event: (inout PeerStateMachine) -> [PeerAction]) {
        guard peers[id] != nil else { return }
        apply(id, event)
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
}
