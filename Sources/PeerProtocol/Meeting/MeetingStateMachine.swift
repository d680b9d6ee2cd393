/// Turns the wishes and the connections of two peers into at most one link.
///
/// Each side has one machine for each peer. The rules are in <doc:Meeting>. The driver passes to the machine every event
/// on a connection with the peer whose hello, and whose proof of identity, are complete. The machine knows no time: the
/// driver decides when a wish expires, when a link that cannot be resumed is given up, and how long a dial waits.
package struct MeetingStateMachine: Hashable, Sendable {
    /// Whether this side decides which of two crossing connections counts: its peer id is the smaller one.
    package let decides: Bool
    /// What this side wants of the peer, until there is a link.
    package internal(set) var wish: Wish?
    /// The link, from its beginning to its end.
    package internal(set) var link: CurrentLink?
    /// The connection that this side dials.
    package internal(set) var outgoing: Outgoing?
    /// The connection that the peer dialed and that does not carry a link yet.
    package internal(set) var incoming: Incoming?
    /// A connection of an unknown program of the peer.
    package internal(set) var newcomer: Newcomer?
    /// What the application was asked about the peer's last wish.
    package internal(set) var question: Question?
    /// How many connections between the two programs have carried a link.
    package internal(set) var connectionCount: UInt32 = 0
    /// The highest epoch of a link between the two programs.
    package internal(set) var lastEpoch: UInt32 = 0
    /// How often this side has dialed.
    package internal(set) var dialCount: UInt64 = 0
    var wishCount: UInt64 = 0
    var incarnation: Incarnation?
    var displaced = DisplacedPrograms()

    /// Creates a machine without a link.
    package init(decides: Bool) { self.decides = decides }

    /// Whether a connection carries the link now.
    package var isLinked: Bool { link?.connection != nil }

    /// Whether the application was asked and has not answered.
    package var isAsking: Bool { question.map { $0.answer == nil } ?? false }

    /// The application wants a link.
    package mutating func wished(isIntroduced: Bool = false) -> MeetingStep {
        var step = MeetingStep()
        guard !isLinked else {
            step.action = .reportLinked
            return step
        }
        if wish != nil {
            // An introduced peer needs no invitation, unless it was sent already.
            if isIntroduced, outgoing?.hasSpoken != true { wish?.isIntroduced = true }
            if !isIntroduced { wish?.isInvitation = true }
            return step
        }
        wishCount += 1
        wish = Wish(number: wishCount, isIntroduced: isIntroduced, isInvitation: !isIntroduced)
        if let connection = incoming?.connection, case .asking = incoming?.stage {
            accept(connection, &step)
        } else {
            continueAttempts(&step)
        }
        return step
    }

    /// The application has answered the question.
    package mutating func answered(_ isWelcome: Bool) -> MeetingStep {
        var step = MeetingStep()
        guard isAsking else { return step }
        question?.answer = isWelcome
        guard let connection = incoming?.connection, case .asking = incoming?.stage else { return step }
        if isWelcome {
            accept(connection, &step)
        } else {
            incoming = nil
            step.close(connection, .decline(.refused))
        }
        return step
    }

    /// This side refuses the peer on a connection that has ended, even if the application wanted the link before.
    ///
    /// A further connection for the peer's wish gets the same answer, and nothing is left for which this side would dial again but a
    /// link that the application knows.
    package mutating func refused(_ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        wish = nil
        // Also a yes that came from this side's own wish: it would accept the peer's next connection without a question.
        if incoming?.connection == connection || question?.answer == true { question?.answer = false }
        if link?.wasConnected == false { link = nil }
        _ = forget(connection)
        if link == nil { closeOutgoing(&step) }
        continueAttempts(&step)
        return step
    }

    /// The time of the wish is over, or the application has withdrawn it.
    package mutating func wishExpired() -> MeetingStep {
        var step = MeetingStep()
        guard wish != nil else { return step }
        wish = nil
        if link == nil { closeOutgoing(&step) }
        continueAttempts(&step)
        return step
    }

    /// The application ends the link, or the link could not be resumed in time.
    package mutating func linkGivenUp() -> MeetingStep {
        var step = MeetingStep()
        guard let ended = link else { return step }
        if let connection = ended.connection { step.close(connection) }
        link = nil
        closeOutgoing(&step)
        continueAttempts(&step)
        return step
    }

    /// A connection has ended, or a dial has failed.
    package mutating func closed(_ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        guard forget(connection) else { return step }
        continueAttempts(&step)
        return step
    }

    /// A ping was answered that was sent for ``MeetingStep/Action/sendPing(_:)``.
    package mutating func receivedPong(_ connection: MeetingConnection) -> MeetingStep {
        var step = MeetingStep()
        if let newcomer, newcomer.connection == connection {
            self.newcomer = nil
            replacePeer(by: newcomer.incarnation, on: connection, &step)
            switch newcomer.request {
            case .invite(let invite): handle(invite, connection, &step)
            case .link(let link, let isMember): handle(link, connection, isMember: isMember, &step)
            }
        } else if case .testing(let tested) = outgoing?.stage, outgoing?.connection == connection {
            if tested != incarnation { replacePeer(by: tested, on: connection, &step) }
            speak(on: connection, &step)
        }
        return step
    }
}
