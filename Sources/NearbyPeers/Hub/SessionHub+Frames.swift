import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Invitations and requests for links.
extension SessionHub {
    func receivedInvite(_ request: InvitationRequest, _ number: Int) {
        guard let record = connections[number], !record.isFinished, let id = record.peer,
            let session = request.session, let incarnation = record.incarnation
        else { return }
        if let refusal = refusal(ofInvitation: request, id) { return decline(number, refusal) }
        name(number, id)
        guard let name = connections[number]?.name else { return }
        let invite = Invite(connectionCount: session.connectionCount, wish: session.wish)
        meet(id) { $0.receivedInvite(invite, name, from: incarnation) }
    }

    /// Returns the reason to decline an invitation before a person is asked; nil if there is none.
    private func refusal(ofInvitation request: InvitationRequest, _ id: PeerID) -> Refusal? {
        if hasLeft { return Refusal(.other, "The other side is leaving.") }
        // The conversation has checked the token already. A correct token admits the peer without further questions.
        if request.token != nil { return nil }
        if case .closed(let reason) = configuration.admission, peers[id]?.machine.meeting.wish == nil {
            return Refusal(.declined, reason)
        }
        return peers.isFull(besides: id) ? .full : nil
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
        if record.name == nil {
            guard isMember(id) || peers[id]?.link != nil else {
                // A member may have introduced this side to the peer before it introduces the peer to this side.
                return record.conversation.awaitIntroduction(for: Self.introductionTimeout, at: clock.now)
            }
            self.name(number, id)
        }
        // Members are accepted beyond the limit, because two members may invite at the same time. Refusing one would tear the mesh.
        if peers[id]?.link == nil, roster.members[id] == nil, peers.isFull(besides: id) { return makeRoom(number) }
        guard let name = connections[number]?.name else { return }
        let isMember = isMember(id)
        meet(id) { $0.receivedLink(request, name, from: incarnation, isMember: isMember) }
    }

    /// Whether a peer is in the group or was linked recently, so that it is accepted without a question.
    func isMember(_ id: PeerID) -> Bool {
        let memory = configuration.reconnection.memory
        return peers[id]?.machine.isMember(isInRoster: isInRoster(id), memory: memory, at: clock.now) ?? isInRoster(id)
    }

    /// Whether a peer is known as a member of the group.
    func isInRoster(_ id: PeerID) -> Bool { roster.members[id] != nil }

    /// Gives a connection that the peer has dialed its name for the peer's machine.
    private func name(_ number: Int, _ id: PeerID) {
        let name = MeetingConnection.incoming(UInt64(number))
        connections[number]?.name = name
        var entry = peers[making: id]
        entry.connections[name] = number
        peers[id] = entry
    }
}
