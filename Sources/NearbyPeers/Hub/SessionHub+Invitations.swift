import PeerCore
import PeerProtocol

/// Invitations of this application, questions about those of peers, and the comparison of digits.
extension SessionHub {
    /// Invites a peer, and waits for a link with it; an automatic invitation skips peers that the application has disconnected.
    func invite(
        _ destination: Destination,
        _ id: PeerID?,
        _ request: PeerStateMachine.Request
    ) async throws(PeerError) -> PeerID {
        try request.check(configuration.connections.limits)
        guard !hasLeft else { throw .sessionEnded }
        if request.isAutomatic, let id, peers[id]?.machine.isBlocked == true { throw .notConnected }
        let end = clock.now + request.timeout
        if let id {
            guard id != localID else { throw .invitesItself }
            if peers[id]?.machine.meeting.isLinked == true { return id }
            // A link that is being resumed holds its slot already.
            guard peers[id]?.link != nil || !peers.isFull(besides: id) else { throw .tooManyPeers }
            return try await waitForLink(until: end, for: .peer(id)) { call in
                peers[making: id].add(destination)
                apply(id) { $0.invited(request, by: call, at: clock.now) }
            }
        }
        guard !peers.isFull(besides: nil) else { throw .tooManyPeers }
        // Taken before the connection opens: if the application disconnects the peer after this, the disconnection wins.
        let number = connections.makeNumber()
        let connection = try await dialer.open(destination)
        var isRunning = false
        do throws(PeerError) {
            return try await waitForLink(until: end, for: .connection(number)) { _ in
                isRunning = true
                identify(connection, number, LinkCalls.IdentityCall(request: request, destination: destination))
            }
        } catch {
            // The call was cancelled before the hub took the connection over.
            if !isRunning { await dialer.drop(connection) }
            throw error
        }
    }

    /// Waits for a link with a peer; `begin` does what has to be done for the call.
    private func waitForLink(
        until end: ContinuousClock.Instant,
        for subject: LinkCalls.Subject,
        _ begin: (_ call: Int) -> Void
    ) async throws(PeerError) -> PeerID {
        let call = connections.makeNumber()
        let cancelTimer = clock.schedule(at: end) {
            self.work.add { await self.endWish(call, .invitationTimedOut) }
        }
        defer { cancelTimer() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: LinkCalls.Continuation) in
                guard !Task.isCancelled, !hasLeft else {
                    return continuation.resume(returning: .failure(.taskCancelled))
                }
                calls.begin(call, for: subject, continuation)
                begin(call)
            }
        } onCancel: {
            self.work.add { await self.endWish(call, .taskCancelled) }
        }
        return try result.get()
    }

    private func endWish(_ call: Int, _ error: PeerError) {
        switch calls.subject(of: call) {
        case .connection(let number):
            connections[number]?.connection.abort()
            calls.fail(connection: number, error)
        case .peer(let id): apply(id) { $0.callEnded(call, error, at: clock.now) }
        case nil: break
        }
    }

    /// Asks the application whether an invitation is welcome.
    func ask(_ number: Int, _ id: PeerID) {
        guard let record = connections[number], !record.isFinished, let remote = record.remote else { return }
        if configuration.admission.rule.welcomes(remote, hasDigits: record.digits != nil, isMember: isMember(id)) {
            act(number) { $0.continueWithoutComparing(at: clock.now) }
            return apply(id) { $0.accepted(on: record.name, at: clock.now) ?? [] }
        }
        // Without a reader, the peer would wait for an answer until its time-out.
        guard inboxes.keepsInvitations(at: clock.now) else { return nobodyAnswers(number) }
        apply(id) { $0.progressed(record.digits.map { .comparing($0) } ?? .asking) }
        let ended = ReadyQueue<Void>()
        connections[number]?.invitationEnded = ended
        let invitation = IncomingInvitation(
            peer: remote,
            context: record.conversation.state.request?.context,
            digits: record.digits,
            number: number,
            hub: self,
            ended: ended
        )
        if !inboxes.invitations.add(invitation) { makeRoom(number) }
    }

    /// Drops messages, and declines invitations, that have waited for long enough for a reader that has not come.
    func dropUnread(at now: ContinuousClock.Instant) {
        let expired = inboxes.expire(at: now)
        if expired.hasMessages { for link in states.links + expired.links { link.readerLeft() } }
        for invitation in expired.invitations { nobodyAnswers(invitation.number) }
    }

    /// Declines an invitation that nobody reads, so that the peer tries again: no person has said no, and no pairing has failed.
    private func nobodyAnswers(_ number: Int) {
        connections[number]?.conversation.settlePairing()
        decline(number, .nobodyAnswers)
    }

    /// Accepts an invitation for the application; fails if digits were not compared or differ, or if there is no link in time.
    func accept(_ number: Int, _ comparison: DigitComparison?) async throws(PeerError) {
        guard let record = connections[number], !record.isFinished, let id = record.peer else {
            throw .invitationWithdrawn
        }
        if comparison == .different {
            decline(number, .digitsDiffer)
            throw .digitsDiffer
        }
        if record.digits != nil {
            guard comparison == .same else { throw .digitsNotCompared }
            await confirm(number)
        }
        // While the answer was saved, the invitation may have been withdrawn, and another one may have come.
        guard let asked = connections[number], !asked.isFinished else { throw .invitationWithdrawn }
        asked.invitationEnded?.finish()
        let least = clock.now + configuration.connections.handshakeTimeout
        // If digits are compared, the person at the other side has the rest of the invitation's time.
        let end = asked.digits == nil ? least : max(least, asked.conversation.state.invitationEnd ?? least)
        _ = try await waitForLink(until: end, for: .peer(id)) { call in
            var entry = peers[making: id]
            guard let actions = entry.machine.accepted(on: asked.name, by: call, at: clock.now) else {
                return calls.finish(call, .failure(.invitationWithdrawn))
            }
            peers[id] = entry
            perform(actions, id)
        }
    }

    /// Invites the peer, on a connection that this side has dialed.
    func sendInvite(_ invite: Invite, _ name: MeetingConnection, _ id: PeerID) {
        guard let entry = peers[id], let number = entry.connections[name] else { return }
        let request = InvitationRequest(
            invite,
            entry.machine.request,
            memberCount: roster.memberCount,
            takesAnyone: configuration.admission.rule == .everyone
        )
        let isMember = isMember(id)
        act(number) { $0.invite(request, isMember: isMember, at: clock.now) }
        apply(id) { $0.progressed(.asking) }
    }

    /// Accepts an invitation, because this side wants the link too or has said yes before.
    func accept(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name], let record = connections[number] else { return }
        record.invitationEnded?.finish()
        consider(name, id)
        act(number) { $0.accept(at: clock.now) }
        // The digits are known already, and so far the person was asked about them as part of the peer's invitation.
        if record.digits != nil, record.conversation.state.isInviting { work.add { await self.compare(number, id) } }
    }

    /// Finds out whether an invitation is welcome, and whether people must compare digits.
    func consider(_ name: MeetingConnection, _ id: PeerID) {
        guard let number = peers[id]?.connections[name] else { return }
        let (isMember, takesAnyone) = (isMember(id), configuration.admission.rule == .everyone)
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
        let admission = configuration.admission
        let question = ReadyQueue<Void>()
        connections[number]?.question = question
        let answer =
            admission.rule == .everyone
            ? nil : await work.compare(digits, of: remote, admission.question, until: question)
        connections[number]?.question = nil
        // The connection may have ended while the person compared the digits.
        guard let conversation = connections[number]?.conversation, !conversation.state.hasEnded else { return }
        switch answer {
        case .different: decline(number, .notCompared)
        case .same: await confirm(number)
        case nil: act(number) { $0.continueWithoutComparing(at: clock.now) }
        }
    }

    /// Notes that the person at this side has found the digits to be the same.
    func confirm(_ number: Int) async {
        guard let conversation = connections[number]?.conversation else { return }
        let events = await conversation.compared(isSame: true, at: clock.now)
        act(number) { _ in events }
    }
}
