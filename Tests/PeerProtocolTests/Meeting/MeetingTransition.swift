import PeerProtocol

/// What is visible of a machine and of an event, to compare which of them meet.
struct MeetingTransition: Hashable, CustomStringConvertible {
    enum LinkState: String, CaseIterable {
        case none, waiting, connected
    }

    enum OutgoingState: String, CaseIterable {
        case none, dialing, testing, inviting, linking
    }

    enum IncomingState: String, CaseIterable {
        case none, asking, parkedInvite, parkedLink, accepted
    }

    enum EventKind: String, CaseIterable {
        case wished, answered, wishExpired, linkGivenUp
        case linkClosed, outgoingClosed, incomingClosed, newcomerClosed
        case dialed, outgoingPong, newcomerPong, accept, answer
        case crossed, over, refused, replaced
        case incomingDecline, newcomerDecline, linkDecline
        case invite, link, linkAfterAccept
        /// A frame on a connection on which it may not come, or an event of a connection that is over.
        case other
    }

    var link: LinkState
    var outgoing: OutgoingState
    var incoming: IncomingState
    var event: EventKind

    init(link: LinkState, outgoing: OutgoingState, incoming: IncomingState, event: EventKind) {
        self.link = link
        self.outgoing = outgoing
        self.incoming = incoming
        self.event = event
    }

    init(_ machine: MeetingStateMachine, _ event: MeetingEvent) {
        self.link = machine.link == nil ? .none : machine.isLinked ? .connected : .waiting
        self.outgoing =
            switch machine.outgoing?.stage {
            case nil: .none
            case .dialing?: .dialing
            case .testing?: .testing
            case .inviting?: .inviting
            case .linking?: .linking
            }
        self.incoming =
            switch machine.incoming?.stage {
            case nil: .none
            case .asking?: .asking
            case .parkedInvite?: .parkedInvite
            case .parkedLink?: .parkedLink
            case .accepted?: .accepted
            }
        self.event = Self.kind(of: event, machine)
    }

    var description: String { "link \(link), outgoing \(outgoing), incoming \(incoming): \(event)" }

    /// Every combination that the names allow: a connection that does not exist has no events.
    static let all: [MeetingTransition] = LinkState.allCases.flatMap { link in
        OutgoingState.allCases.flatMap { outgoing in
            IncomingState.allCases.flatMap { incoming in
                EventKind.allCases.compactMap { event in
                    let transition = MeetingTransition(
                        link: link,
                        outgoing: outgoing,
                        incoming: incoming,
                        event: event
                    )
                    return transition.isMeaningful ? transition : nil
                }
            }
        }
    }

    private var isMeaningful: Bool {
        switch event {
        case .linkClosed, .linkDecline: link == .connected
        case .linkGivenUp: link != .none
        case .outgoingClosed: outgoing != .none
        case .dialed: outgoing == .dialing
        case .outgoingPong: outgoing == .testing
        case .accept: outgoing == .inviting
        case .answer: outgoing == .linking
        case .crossed, .refused: outgoing == .inviting || outgoing == .linking
        case .over: outgoing == .linking
        case .replaced: outgoing != .none && outgoing != .dialing
        case .incomingClosed, .incomingDecline: incoming != .none
        case .linkAfterAccept: incoming == .accepted
        case .other: false
        case .wished, .answered, .wishExpired, .newcomerClosed, .newcomerPong, .newcomerDecline, .invite, .link: true
        }
    }

    private static func kind(of event: MeetingEvent, _ machine: MeetingStateMachine) -> EventKind {
        switch event {
        case .wished: .wished
        case .answered: .answered
        case .wishExpired: .wishExpired
        case .linkGivenUp: .linkGivenUp
        case .closed(machine.link?.connection): .linkClosed
        case .closed(machine.outgoing?.connection): .outgoingClosed
        case .closed(machine.incoming?.connection): .incomingClosed
        case .closed(machine.newcomer?.connection): .newcomerClosed
        case .dialed(machine.outgoing?.connection, _): .dialed
        case .receivedPong(machine.outgoing?.connection): .outgoingPong
        case .receivedPong(machine.newcomer?.connection): .newcomerPong
        case .receivedAccept(machine.outgoing?.connection): .accept
        case .receivedAnswer(_, machine.outgoing?.connection): .answer
        case .receivedDecline(let decline, machine.outgoing?.connection):
            switch decline {
            case .crossed: .crossed
            case .over: .over
            case .refused: .refused
            case .replaced: .replaced
            }
        case .receivedDecline(_, machine.incoming?.connection): .incomingDecline
        case .receivedDecline(_, machine.newcomer?.connection): .newcomerDecline
        case .receivedDecline(_, machine.link?.connection): .linkDecline
        case .receivedInvite: .invite
        case .receivedLink(_, machine.incoming?.connection, _, _): .linkAfterAccept
        case .receivedLink: .link
        default: .other
        }
    }
}
