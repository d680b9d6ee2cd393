import FoundationEssentials
import PeerCore
import PeerProtocol

/// Who may continue on a connection: certificates, invitations and requests for links.
extension SessionHub {
    /// How long an unknown peer's request for a link waits for the peer's introduction.
    private static let introductionTimeout: Duration = .seconds(3)

    /// Asks the trust store about the peer of a connection, and notes under which name it is shown.
    func trust(_ number: Int, _ id: PeerID, _ name: String) async throws -> PeerTrust {
        let standing = try await work.standing(of: id, callingItself: name, in: configuration.trust)
        connections[number]?.shownName = standing.shownName
        return standing.trust
    }

    /// Asks the certificate handler whether a peer may continue, and refuses peers that the application has disconnected.
    func check(_ number: Int, _ remote: RemotePeer, _ hello: Hello) async throws -> Refusal? {
        guard let record = connections[number] else { return nil }
        let remote = record.shown(remote)
        let relation = relation(remote.id, isOutgoing: record.isOutgoing)
        let refusal: Refusal?
        do {
            refusal = try await askAboutCertificate(number, remote, relation)
        } catch {
            throw ConversationEnvironment.Stopped()
        }
        // The connection may have been closed while the handler ran.
        guard connections[number] != nil else { return nil }
        if let refusal { return refusal }
        peers[making: remote.id].note(remote, hello)
        if peers[remote.id]?.link != nil { showAgain(remote.id) }
        // A call with an address or a share link unblocks the peer if it began after the disconnection.
        let beginning = record.call == nil ? nil : number
        return peers[remote.id]?.machine.isBlocked(since: beginning) == true ? .disconnected : nil
    }

    /// Asks the certificate handler again if the peer was introduced after the first answer; false if the peer is refused.
    func isWelcomeAsIntroduced(_ number: Int) async -> Bool {
        guard let record = connections[number], let remote = record.remote else { return true }
        let relation = relation(remote.id, isOutgoing: record.isOutgoing)
        guard relation.needsNewAnswer(after: record.relation) else { return true }
        let refusal: Refusal?
        do {
            refusal = try await askAboutCertificate(number, remote, relation)
        } catch {
            end(number) { $0.lost() }
            return false
        }
        // The connection may have ended while the handler ran.
        guard connections[number]?.isFinished == false else { return false }
        if let refusal { decline(number, refusal) }
        return refusal == nil
    }

    /// Asks the certificate handler about a peer.
    private func askAboutCertificate(
        _ number: Int,
        _ remote: RemotePeer,
        _ relation: PeerRelation
    ) async throws -> Refusal? {
        guard let certificate = connections[number].map({ Data($0.certificate) }) else { return nil }
        let refusal = try await work.callOut { [check = configuration.checkCertificate] in
            await check(remote, certificate, relation)
        }
        connections[number]?.relation = relation
        return refusal
    }

    /// The relation to a peer whose connection has just been opened.
    private func relation(_ id: PeerID, isOutgoing: Bool) -> PeerRelation {
        peers[making: id].machine.relation(isOutgoing: isOutgoing, introducer: roster.members[id]?.introducer)
    }

    func receivedInvite(_ request: InvitationRequest, _ number: Int) {
        guard let record = connections[number], !record.isFinished, let id = record.peer,
            let session = request.session, let incarnation = record.incarnation
        else { return }
        let isWanted = peers[id]?.machine.meeting.wish != nil
        let isFull = peers.isFull(besides: id)
        let refusal = configuration.admission.rule.refusal(of: request, isWanted: isWanted, isFull: isFull)
        if let refusal = hasLeft ? .leaving : refusal { return decline(number, refusal) }
        let name = connections.name(number, in: &peers[making: id])
        let invite = Invite(connectionCount: session.connectionCount, wish: session.wish)
        meet(id) { $0.receivedInvite(invite, name, from: incarnation) }
    }

    func receivedLink(_ terms: LinkTerms, _ number: Int) {
        // The conversation may have ended while the certificate handler was asked.
        guard let record = connections[number], !record.isFinished, let id = record.peer,
            let incarnation = record.incarnation,
            let epoch = UInt32(exactly: terms.epoch), let count = UInt32(exactly: terms.connectionCount)
        else { return violate(number, .unexpected(.link)) }
        connections[number]?.terms = terms
        let request = Link(epoch: epoch, connectionCount: count)
        if record.isOutgoing {
            guard let name = record.name else { return }
            return meet(id) { $0.receivedAnswer(request, name) }
        }
        let isMember = isMember(id)
        let hasLink = peers[id]?.link != nil
        let admission = LinkAdmission(
            isKnown: record.name != nil || isMember || hasLink,
            hasSlot: hasLink,
            isInRoster: isInRoster(id),
            isFull: peers.isFull(besides: id)
        )
        guard admission != .awaitsIntroduction else {
            return record.conversation.awaitIntroduction(for: Self.introductionTimeout, at: clock.now)
        }
        let name = record.name ?? connections.name(number, in: &peers[making: id])
        if admission == .full { return makeRoom(number) }
        meet(id) { $0.receivedLink(request, name, from: incarnation, isMember: isMember) }
    }

    /// Whether a peer is in the group or was linked recently, so that it is accepted without a question.
    func isMember(_ id: PeerID) -> Bool { peers.isMember(id, of: roster, at: clock.now) }

    /// Whether a peer is known as a member of the group.
    func isInRoster(_ id: PeerID) -> Bool { roster.members[id] != nil }
}
