import Logging
import PeerCore
import PeerProtocol

/// The members of the group, and links with introduced members.
extension SessionHub {
    /// Processes the member records that have arrived over a link.
    func processRecords(of link: LinkDriver) {
        let records = link.members.take()
        perform(roster.received(records, from: link.peer, at: clock.now))
        // Only the peer itself says under which name it is shown.
        guard let own = records.last(where: { $0.id == link.peer }), own == roster.members[link.peer]?.record else {
            return
        }
        noteName(own.displayName, of: link.peer)
    }

    /// Notes that a peer wants to be shown under another name.
    private func noteName(_ name: String, of id: PeerID) {
        guard let entry = peers[id], let remote = entry.remote, !name.isEmpty,
            entry.refusedNames.mayReport(name, at: clock.now)
        else { return }
        guard name != remote.displayName || entry.wantedName != nil else { return }
        peers[id]?.wantedName = name
        if entry.wantedName == nil { work.add { await self.renameWanting(id) } }
    }

    /// Shows a peer under the name that it wants, unless that is the name of a trusted peer with another key.
    private func renameWanting(_ id: PeerID) async {
        while let name = peers[id]?.wantedName {
            let standing: HubWork.Standing?
            do {
                standing = try await work.standing(of: id, callingItself: name, in: configuration.trust)
            } catch {
                // The name before stays until the peer says something of itself again.
                logger.notice("a new name was not checked", metadata: ["error": "\(error)", "peer": "\(id.short)"])
                standing = nil
            }
            // It may have changed its mind while the trust store answered.
            guard peers[id]?.wantedName == name else { continue }
            peers[id]?.wantedName = nil
            guard let standing, let remote = peers[id]?.remote, name != remote.displayName else { return }
            if let owner = standing.owner {
                guard peers[id]?.refusedNames.allows(name, at: clock.now) == true else { return }
                return states.report(.refused(remote, .nameIsTaken(by: owner, wantedBy: remote)))
            }
            peers[id]?.renamed(name)
            showAgain(id)
        }
    }

    /// Changes the name under which this machine is shown.
    func rename(_ name: String) {
        states.setOwnName(name)
        presence.tell()
        noteOwnAddresses()
        spreadRecords()
    }

    /// Performs what the roster decides, and tells the members what has changed.
    func perform(_ actions: [RosterStateMachine.Action]) {
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
        guard let waiting = connections.awaitingIntroduction(of: id), let terms = waiting.terms else { return }
        waiting.conversation.introduced(at: clock.now)
        // This is a separate job, because the certificate handler may block.
        work.add { [number = waiting.number] in await self.answer(.link(terms), number) }
    }

    /// Returns the newest addresses of a member, because it may have moved since the last attempt.
    func memberAddresses(of id: PeerID, in networks: LocalNetworks) -> [String] {
        guard let member = roster.members[id] else { return [] }
        // The address from which the introducer is connected.
        let carrier = member.introducer.flatMap { peers[$0]?.carrier }.flatMap { connections[$0]?.connection }
        return networks.nearby(member.record.addresses, remote: carrier?.remoteAddress ?? "")
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
        perform(roster.lookAtAbsent(at: now, patience: patience) { peers[$0]?.obstacle ?? .none })
    }

    /// The addresses at which this machine listens now.
    var ownAddresses: [PeerAddress] { transport.listeningAddresses(port: presence.port) }

    /// Updates this machine's own record with the addresses at which it listens now.
    func noteOwnAddresses() {
        roster.ownChanged(
            displayName: states.ownName,
            addresses: Array(ownAddresses.map(\.text).prefix(LinkTerms.maximumAddressCount)),
            at: clock.now
        )
    }
}
