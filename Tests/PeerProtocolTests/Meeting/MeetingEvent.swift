import PeerProtocol

/// An event of the machine, as a value.
enum MeetingEvent: Hashable {
    case wished(isIntroduced: Bool)
    case answered(Bool)
    case wishExpired
    case linkGivenUp
    case closed(MeetingConnection)
    case dialed(MeetingConnection, Incarnation)
    case receivedPong(MeetingConnection)
    case receivedAccept(MeetingConnection)
    case receivedAnswer(Link, MeetingConnection)
    case receivedDecline(Decline, MeetingConnection)
    case receivedInvite(Invite, MeetingConnection, Incarnation)
    case receivedLink(Link, MeetingConnection, Incarnation, isMember: Bool)

    func apply(to machine: inout MeetingStateMachine) -> MeetingStep {
        switch self {
        case .wished(let isIntroduced): machine.wished(isIntroduced: isIntroduced)
        case .answered(let isWelcome): machine.answered(isWelcome)
        case .wishExpired: machine.wishExpired()
        case .linkGivenUp: machine.linkGivenUp()
        case .closed(let connection): machine.closed(connection)
        case .dialed(let connection, let incarnation): machine.dialed(connection, incarnation)
        case .receivedPong(let connection): machine.receivedPong(connection)
        case .receivedAccept(let connection): machine.receivedAccept(connection)
        case .receivedAnswer(let link, let connection): machine.receivedAnswer(link, connection)
        case .receivedDecline(let decline, let connection): machine.receivedDecline(decline, connection)
        case .receivedInvite(let invite, let connection, let incarnation):
            machine.receivedInvite(invite, connection, from: incarnation)
        case .receivedLink(let link, let connection, let incarnation, let isMember):
            machine.receivedLink(link, connection, from: incarnation, isMember: isMember)
        }
    }
}
