import Logging
import NIOCore
import PeerCore
import PeerProtocol

/// Performs the steps of meeting machines.
extension SessionHub {
    /// Passes an event to a peer's meeting machine, and performs its step.
    func meet(_ id: PeerID, _ event: (inout MeetingStateMachine) -> MeetingStep) {
        var record = makeRecord(id)
        let step = event(&record.meeting)
        peers[id] = record
        perform(step, id)
    }

    func perform(_ step: MeetingStep, _ id: PeerID) {
        for closing in step.closings { close(closing, id) }
        let isBroken = step.endsLink && peers[id]?.link != nil
        if isBroken {
            endLink(of: id, .linkLost)
            show(.disconnected(.lost), of: id)
        }
        switch step.action {
        case .dial(let name, let yields): scheduleDial(name, yields: yields, id)
        case .sendPing(let name): test(name, id)
        case .sendInvite(let invite, let name): sendInvite(invite, name, id)
        case .sendLink(let request, let name): sendRequest(request, name, id)
        case .ask(let name): ask(name, id)
        case .sendAccept(let name): accept(name, id)
        case .establish(let name, let answer): establish(name, answer, id)
        case .fail(let decline): wishFailed(decline, id)
        case .reportLinked: fulfilWishes(of: id)
        case .none: break
        }
        // The peer has restarted or given the link up, but this side still wants it. If the peer invites, its invitation decides.
        guard isBroken, !hasLeft, let record = peers[id], record.link == nil, record.meeting.incoming == nil else {
            return
        }
        peers[id]?.wishes.isOwn = true
        meet(id) { $0.wished() }
    }

    private func close(_ closing: MeetingStep.Closing, _ id: PeerID) {
        let number = peers[id]?.connections.removeValue(forKey: closing.connection)
        guard let number, let record = connections[number] else {
            // The dial has not succeeded yet.
            if case .outgoing = closing.connection { peers[id]?.attempts.stop?.finish() }
            return
        }
        connections[number]?.name = nil
        // This side closes the connection by itself, so this is not a failed pairing.
        record.conversation.settlePairing()
        switch closing.lastWord {
        case .decline(let decline):
            end(number) { $0.decline(refusal(for: decline)) }
        case .violation(let code):
            let error = ProtocolError(code, "A frame came out of turn.")
            end(number) { $0.receivedInvalid(error) }
        case nil:
            end(number) { $0.lost() }
        }
    }

    private func refusal(for decline: Decline) -> Refusal {
        switch decline {
        case .crossed(let count, let epoch):
            var refusal = Refusal(.crossed, "Another connection is used.")
            (refusal.connectionCount, refusal.epoch) = (count, epoch)
            return refusal
        case .over(let count, let epoch):
            var refusal = Refusal(.over, "The link has ended.")
            (refusal.connectionCount, refusal.epoch) = (count, epoch)
            return refusal
        case .replaced:
            return Refusal(.replaced, "Another program with the same key has replaced this one.")
        case .refused:
            return Refusal(.declined, "The other side refused the connection.")
        }
    }

    /// Tests the connection of a newcomer with a ping.
    private func test(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name], let connection = connections[number]?.connection else {
            return
        }
        spawn {
            guard await connection.roundTrip() != nil else { return }
            await self.meet(id) { $0.receivedPong(name) }
        }
    }

    /// Fails the wish, because the peer has refused it.
    private func wishFailed(_ decline: Decline, _ id: PeerID) {
        switch decline {
        case .replaced:
            failWishes(of: id, PeerError(.replaced, "Another program with this machine's key is running."))
            show(.disconnected(.replaced), of: id)
        case .refused, .crossed, .over:
            let error =
                peers[id]?.attempts.error ?? PeerError(.declined, "The other side refused the connection.")
            failWishes(of: id, error)
        }
    }
}
