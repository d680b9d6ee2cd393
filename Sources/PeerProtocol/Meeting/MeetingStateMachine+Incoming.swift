/// What happens on connections that the peer dialed.
extension MeetingStateMachine {
    /// The peer invites this side.
    package mutating func receivedInvite(
        _ invite: Invite,
        _ connection: MeetingConnection,
        from incarnation: Incarnation
    ) -> MeetingStep {
        var step = MeetingStep()
        if isInUse(connection) {
            violated(connection, .unexpectedFrame, &step)
        } else if meet(incarnation, connection, .invite(invite), &step) {
            handle(invite, connection, &step)
        }
        return step
    }

    /// The peer asks for a link.
    ///
    /// `isMember` says whether the application lets the peer in without an invitation.
    package mutating func receivedLink(
        _ request: Link,
        _ connection: MeetingConnection,
        from incarnation: Incarnation,
        isMember: Bool
    ) -> MeetingStep {
        var step = MeetingStep()
        if incoming?.connection == connection, incoming?.stage == .accepted {
            handle(request, connection, isMember: true, &step)
        } else if isInUse(connection) {
            violated(connection, .unexpectedFrame, &step)
        } else if meet(incarnation, connection, .link(request, isMember: isMember), &step) {
            handle(request, connection, isMember: isMember, &step)
        }
        return step
    }

    private func isInUse(_ connection: MeetingConnection) -> Bool {
        connection == incoming?.connection || connection == newcomer?.connection || connection == link?.connection
            || connection == outgoing?.connection
    }

    /// Whether the program is the one that counts.
    ///
    /// An unknown program has to show first that it is alive. So has a displaced one, which returns only for a new wish.
    private mutating func meet(
        _ incarnation: Incarnation,
        _ connection: MeetingConnection,
        _ request: Newcomer.Request,
        _ step: inout MeetingStep
    ) -> Bool {
        if let lastWish = displaced.lastWish(of: incarnation), !request.isNew(since: lastWish) {
            step.close(connection, .decline(.replaced))
            return false
        }
        if self.incarnation == nil || self.incarnation == incarnation {
            self.incarnation = incarnation
            return true
        }
        if let newcomer { step.close(newcomer.connection) }
        newcomer = Newcomer(connection: connection, incarnation: incarnation, request: request)
        step.action = .sendPing(connection)
        return false
    }

    mutating func handle(_ invite: Invite, _ connection: MeetingConnection, _ step: inout MeetingStep) {
        guard invite.connectionCount >= connectionCount else {
            declineCrossed(connection, &step)
            continueAttempts(&step)
            return
        }
        if let question, invite.wish < question.wish {
            // The peer has withdrawn that wish already, and with it the connection.
            step.close(connection)
            continueAttempts(&step)
            return
        }
        endLink(&step)
        closeIncoming(&step)
        if let outgoing {
            if decides, outgoing.hasSpoken {
                incoming = Incoming(connection: connection, stage: .parkedInvite(invite))
                return
            }
            closeOutgoing(&step)
        }
        take(invite, connection, &step)
    }

    /// Accepts an invitation, or asks the application unless it has answered for this wish of the peer.
    mutating func take(_ invite: Invite, _ connection: MeetingConnection, _ step: inout MeetingStep) {
        incoming = Incoming(connection: connection, stage: .asking)
        if question?.wish != invite.wish { question = Question(wish: invite.wish) }
        if wish != nil || question?.answer == true {
            accept(connection, &step)
        } else if question?.answer == false {
            incoming = nil
            step.close(connection, .decline(.refused))
        } else {
            step.action = .ask(connection)
        }
    }

    mutating func accept(_ connection: MeetingConnection, _ step: inout MeetingStep) {
        question?.answer = true
        incoming = Incoming(connection: connection, stage: .accepted)
        step.action = .sendAccept(connection)
    }

    mutating func handle(
        _ request: Link,
        _ connection: MeetingConnection,
        isMember: Bool,
        _ step: inout MeetingStep
    ) {
        guard request.connectionCount >= connectionCount else {
            if incoming?.connection == connection { incoming = nil }
            declineCrossed(connection, &step)
            continueAttempts(&step)
            return
        }
        guard isMember || link != nil || wish != nil || request.epoch <= lastEpoch else {
            step.close(connection, .decline(.refused))
            continueAttempts(&step)
            return
        }
        if incoming?.connection == connection { incoming = nil }
        closeIncoming(&step)
        if decides, let outgoing, outgoing.hasSpoken {
            incoming = Incoming(connection: connection, stage: .parkedLink(request))
        } else {
            take(request, connection, &step)
        }
    }

    /// Lets a connection carry the link, unless the link is over or there is a newer one.
    mutating func take(_ request: Link, _ connection: MeetingConnection, _ step: inout MeetingStep) {
        let (count, isTooHigh) = max(connectionCount, request.connectionCount).addingReportingOverflow(1)
        if isTooHigh || request.epoch == 0 {
            step.close(connection, .violation(.limitExceeded))
        } else if let link, request.epoch < link.epoch {
            declineCrossed(connection, &step)
        } else if link == nil, request.epoch <= lastEpoch {
            step.close(connection, .decline(.over(connectionCount: connectionCount, epoch: lastEpoch)))
        } else {
            establish(connection, Link(epoch: request.epoch, connectionCount: count), isListener: true, &step)
            return
        }
        continueAttempts(&step)
    }

    private func declineCrossed(_ connection: MeetingConnection, _ step: inout MeetingStep) {
        step.close(connection, .decline(.crossed(connectionCount: connectionCount, epoch: link?.epoch ?? 0)))
    }
}

extension MeetingStateMachine.Outgoing {
    /// Whether the peer may have heard what this side wants.
    var hasSpoken: Bool {
        switch stage {
        case .dialing, .testing: false
        case .inviting, .linking: true
        }
    }
}

extension MeetingStateMachine.Newcomer.Request {
    /// Whether the request belongs to a later wish than the last known one.
    func isNew(since lastWish: UInt64) -> Bool {
        switch self {
        case .invite(let invite): invite.wish > lastWish
        case .link: false
        }
    }
}
