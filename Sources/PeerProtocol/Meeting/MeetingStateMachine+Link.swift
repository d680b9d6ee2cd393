/// How links and attempts begin and end.
extension MeetingStateMachine {
    /// Lets a connection carry the link, and closes all others.
    mutating func establish(
        _ connection: MeetingConnection,
        _ agreed: Link,
        isListener: Bool,
        _ step: inout MeetingStep
    ) {
        if let link, link.wasConnected, link.epoch != agreed.epoch { step.endsLink = true }
        if let replaced = link?.connection { step.close(replaced) }
        if let outgoing, outgoing.connection != connection { step.close(outgoing.connection) }
        if let incoming, incoming.connection != connection {
            let crossed = Decline.crossed(connectionCount: agreed.connectionCount, epoch: agreed.epoch)
            step.close(incoming.connection, .decline(crossed))
        }
        outgoing = nil
        incoming = nil
        wish = nil
        if isAsking { question?.answer = true }
        link = CurrentLink(epoch: agreed.epoch, connection: connection, wasConnected: true)
        lastEpoch = max(lastEpoch, agreed.epoch)
        connectionCount = agreed.connectionCount
        step.action = .establish(connection, answer: isListener ? agreed : nil)
    }

    /// Continues after the end of an attempt, with the parked connection if there is one; otherwise, this side dials again.
    mutating func continueAttempts(_ step: inout MeetingStep) {
        guard !isLinked, outgoing == nil else { return }
        if let incoming {
            switch incoming.stage {
            case .asking, .accepted: break
            case .parkedInvite(let invite):
                self.incoming = nil
                handle(invite, incoming.connection, &step)
            case .parkedLink(let request):
                self.incoming = nil
                handle(request, incoming.connection, isMember: true, &step)
            }
        } else if wish != nil || link != nil {
            dialCount += 1
            let connection = MeetingConnection.outgoing(dialCount)
            outgoing = Outgoing(connection: connection, stage: .dialing)
            let isExpected = link != nil || wish?.isIntroduced == true
            step.action = .dial(connection, yields: isExpected && !decides)
        }
    }

    /// Ends the link without a word: the peer knows, or hears of it when it dials.
    mutating func endLink(_ step: inout MeetingStep) {
        guard let ended = link else { return }
        if let connection = ended.connection { step.close(connection) }
        if ended.wasConnected { step.endsLink = true }
        link = nil
    }

    mutating func closeOutgoing(_ step: inout MeetingStep) {
        if let outgoing { step.close(outgoing.connection) }
        outgoing = nil
    }

    mutating func closeIncoming(_ step: inout MeetingStep) {
        if let incoming { step.close(incoming.connection) }
        incoming = nil
    }

    /// Forgets a connection that has ended.
    ///
    /// Returns whether the machine knew it.
    mutating func forget(_ connection: MeetingConnection) -> Bool {
        if link?.connection == connection {
            link?.connection = nil
        } else if outgoing?.connection == connection {
            outgoing = nil
        } else if incoming?.connection == connection {
            incoming = nil
        } else if newcomer?.connection == connection {
            newcomer = nil
        } else {
            return false
        }
        return true
    }

    /// Closes a connection on which the peer broke the protocol.
    mutating func violated(_ connection: MeetingConnection, _ code: ProtocolError.Code, _ step: inout MeetingStep) {
        let wasKnown = forget(connection)
        step.close(connection, .violation(code))
        if wasKnown { continueAttempts(&step) }
    }

    /// Makes another program of the peer the one that counts.
    ///
    /// Nothing of the old one stays but the counts, in case it returns: it may still have a link that this side has ended.
    mutating func replacePeer(
        by incarnation: Incarnation,
        on connection: MeetingConnection,
        _ step: inout MeetingStep
    ) {
        let replaced = MeetingStep.LastWord.decline(.replaced)
        if let old = self.incarnation {
            displaced.append(
                DisplacedPrograms.Program(
                    incarnation: old,
                    question: question,
                    connectionCount: connectionCount,
                    lastEpoch: lastEpoch
                )
            )
        }
        let program = displaced.remove(incarnation)
        if let link {
            if let old = link.connection { step.close(old, replaced) }
            if link.wasConnected { step.endsLink = true }
        }
        if let incoming { step.close(incoming.connection, replaced) }
        if let newcomer { step.close(newcomer.connection) }
        if let outgoing, outgoing.connection != connection, outgoing.stage != .dialing,
            outgoing.stage != .testing(incarnation)
        {
            step.close(outgoing.connection, outgoing.hasSpoken ? replaced : nil)
            self.outgoing = nil
        }
        link = nil
        incoming = nil
        newcomer = nil
        question = program.question
        connectionCount = program.connectionCount
        lastEpoch = program.lastEpoch
        self.incarnation = incarnation
    }
}
