import PeerCore
import PeerProtocol

/// Admission of peers, and the comparison of digits.
extension SessionHub {
    /// Invites the peer, on a connection that this side has dialed.
    func sendInvite(_ invite: Invite, _ name: MeetingConnection, _ id: PeerID) {
        guard let entry = peers[id], let number = entry.connections[name] else { return }
        let request = InvitationRequest(
            invite,
            entry.machine.request,
            memberCount: roster.memberCount,
            takesAnyone: configuration.admission == .everyone
        )
        let isMember = isMember(id)
        act(number) { $0.invite(request, isMember: isMember, at: clock.now) }
        apply(id) { $0.progressed(.asking) }
    }

    /// Accepts an invitation, because this side wants the link too or has said yes before.
    func accept(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name], let record = connections[number] else { return }
        consider(name, id)
        act(number) { $0.accept(at: clock.now) }
        // The digits are known already, and so far the person was asked about them as part of the peer's invitation.
        if record.digits != nil, record.conversation.state.isInviting { work.add { await self.compare(number, id) } }
    }

    /// Finds out whether an invitation is welcome, and whether people must compare digits.
    func consider(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name] else { return }
        let (isMember, takesAnyone) = (isMember(id), configuration.admission == .everyone)
        act(number) { $0.consider(isMember: isMember, takesAnyone: takesAnyone, at: clock.now) }
    }

    /// Asks for the answer to an invitation, with or without digits.
    func asked(_ digits: PairingDigits?, _ number: Int, _ id: PeerID) {
        if let digits { apply(id) { $0.progressed(.comparing(digits)) } }
        // The application's answer to the invitation is the comparison, unless this side invites too.
        if peers[id]?.machine.hasAccepted(on: connections[number]?.name) != true {
            work.add { await self.ask(number, id) }
        } else if digits != nil {
            work.add { await self.compare(number, id) }
        }
    }

    /// Asks the person at the inviting side whether the digits are the same.
    func compare(_ number: Int, _ id: PeerID) async {
        guard let record = connections[number], let remote = record.remote, let digits = record.digits else { return }
        let isOptional = configuration.admission == .everyone && configuration.compareDigits == nil
        let question = ReadyQueue<Void>()
        connections[number]?.question = question
        let answer =
            isOptional ? nil : await work.compare(digits, of: remote, configuration.compareDigits, until: question)
        connections[number]?.question = nil
        // The connection may have ended while the person compared the digits.
        guard let conversation = connections[number]?.conversation, !conversation.state.hasEnded else { return }
        switch answer {
        case .different:
            decline(number, .notCompared)
        case .same:
            await confirm(number)
        case nil:
            act(number) { $0.continueWithoutComparing(at: clock.now) }
        }
    }

    /// Notes that the person at this side has found the digits to be the same.
    func confirm(_ number: Int) async {
        guard let conversation = connections[number]?.conversation else { return }
        let events = await conversation.compared(isSame: true, at: clock.now)
        act(number) { _ in events }
    }
}
