/// What happens on the connection that this side dialed.
extension MeetingStateMachine {
    /// The dial has succeeded, and the peer's hello has come.
    package mutating func dialed(_ connection: MeetingConnection, _ incarnation: Incarnation) -> MeetingStep {
        var step = MeetingStep()
        guard outgoing?.connection == connection, outgoing?.stage == .dialing else {
            step.close(connection)
            return step
        }
        if displaced.lastWish(of: incarnation) != nil, link != nil {
            // The link is with another program.
            outgoing = nil
            step.close(connection, .decline(.replaced))
            continueAttempts(&step)
        } else if self.incarnation == nil || self.incarnation == incarnation {
            self.incarnation = incarnation
            speak(on: connection, &step)
        } else {
            outgoing?.stage = .testing(incarnation)
            step.action = .sendPing(connection)
        }
        return step
    }

    /// Says the first frame on a connection that this side dialed.
    mutating func speak(on connection: MeetingConnection, _ step: inout MeetingStep) {
        if let link {
            requestLink(link.epoch, connection, &step)
        } else if let wish, wish.isIntroduced {
            requestNextLink(connection, &step)
        } else if let wish {
            outgoing?.stage = .inviting
            step.action = .sendInvite(Invite(connectionCount: connectionCount, wish: wish.number), connection)
        } else {
            outgoing = nil
            step.close(connection)
            continueAttempts(&step)
        }
    }

    /// The peer accepts the invitation.
    package mutating func receivedAccept(_ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        guard outgoing?.connection == connection, outgoing?.stage == .inviting else {
            violated(connection, .unexpectedFrame, &step)
            return step
        }
        requestNextLink(connection, &step)
        return step
    }

    private mutating func requestNextLink(_ connection: MeetingConnection, _ step: inout MeetingStep) {
        let (epoch, isTooHigh) = lastEpoch.addingReportingOverflow(1)
        if isTooHigh {
            violated(connection, .limitExceeded, &step)
        } else {
            requestLink(epoch, connection, &step)
        }
    }

    private mutating func requestLink(
        _ epoch: UInt32,
        _ connection: MeetingConnection,
        _ step: inout MeetingStep
    ) {
        outgoing?.stage = .linking(epoch: epoch)
        step.action = .sendLink(Link(epoch: epoch, connectionCount: connectionCount), connection)
    }

    /// The peer agrees to the link that this side asked for.
    package mutating func receivedAnswer(_ answer: Link, _ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        guard outgoing?.connection == connection, case .linking(answer.epoch) = outgoing?.stage,
            answer.connectionCount > connectionCount
        else {
            violated(connection, .unexpectedFrame, &step)
            return step
        }
        establish(connection, answer, isListener: false, &step)
        return step
    }

    /// The peer says no: to what this side has said, or to a connection that the peer itself has dialed.
    package mutating func receivedDecline(_ decline: Decline, _ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        let isAnswer = outgoing?.connection == connection
        let isNews = newcomer?.connection != connection
        guard forget(connection) else { return step }
        step.close(connection)
        switch decline {
        case .crossed(let count, let epoch) where isAnswer && count > connectionCount:
            connectionCount = count
            if epoch > lastEpoch {
                endLink(&step)
                lastEpoch = epoch
                link = CurrentLink(epoch: epoch, connection: nil, wasConnected: false)
            }
        case .over(let count, let epoch) where isAnswer:
            connectionCount = max(connectionCount, count)
            lastEpoch = max(lastEpoch, epoch)
            endLink(&step)
        case .refused where isAnswer && link != nil:
            // What was refused is the old link. A wish that has come since then gets an invitation of its own.
            endLink(&step)
        case .refused where isAnswer && wish?.isIntroduced == true && wish?.isInvitation == true:
            // The peer has not heard of the introduction.
            wish?.isIntroduced = false
        case .refused where isAnswer:
            if incoming == nil, wish != nil {
                wish = nil
                step.action = .fail(decline)
                return step
            }
        case .replaced where isNews:
            endAll(&step)
            return step
        case .crossed, .over, .refused, .replaced:
            break
        }
        continueAttempts(&step)
        return step
    }

    private mutating func endAll(_ step: inout MeetingStep) {
        endLink(&step)
        closeOutgoing(&step)
        if let incoming { step.close(incoming.connection) }
        incoming = nil
        if wish != nil { step.action = .fail(.replaced) }
        wish = nil
    }
}
