import PeerProtocol
import Testing

/// The rules about displaced programs, expiry and links that are over, and what a peer may not do.
@Suite struct MeetingEndTests {
    private let outgoing = MeetingConnection.outgoing(1)
    private let incoming = MeetingConnection.incoming(1)

    private func program(_ number: UInt64) -> Incarnation { Incarnation(high: 0, low: number) }

    private func linked(decides: Bool = true) -> MeetingStateMachine {
        var machine = MeetingStateMachine(decides: decides)
        let request = Link(epoch: 1, connectionCount: 0)
        _ = machine.receivedLink(request, incoming, from: program(1), isMember: true)
        #expect(machine.isLinked)
        return machine
    }

    private func inviting(decides: Bool = true) -> MeetingStateMachine {
        var machine = MeetingStateMachine(decides: decides)
        _ = machine.wished()
        _ = machine.dialed(outgoing, program(1))
        return machine
    }

    /// Lets another program take the place of the one before.
    private func displace(_ machine: inout MeetingStateMachine, by number: UInt64) {
        let connection = MeetingConnection.incoming(number + 100)
        let request = Link(epoch: 1, connectionCount: 0)
        _ = machine.receivedLink(request, connection, from: program(number), isMember: true)
        _ = machine.receivedPong(connection)
        #expect(machine.link?.connection == connection)
    }

    @Test func r9ADisplacedProgramHearsThatItWasReplaced() {
        var machine = linked()
        displace(&machine, by: 2)
        let resumed = Link(epoch: 1, connectionCount: 1)
        let step = machine.receivedLink(resumed, .incoming(7), from: program(1), isMember: true)
        #expect(step.action == .none)
        #expect(step.closings.map(\.lastWord) == [.decline(.replaced)])
    }

    @Test func r9ADisplacedProgramReturnsWithANewWish() {
        var machine = linked()
        displace(&machine, by: 2)
        let invite = Invite(connectionCount: 1, wish: 1)
        expect(machine.receivedInvite(invite, .incoming(7), from: program(1)).action, equals: .sendPing(.incoming(7)))
        expect(machine.receivedPong(.incoming(7)).action, equals: .ask(.incoming(7)))
        displace(&machine, by: 3)
        let again = machine.receivedInvite(invite, .incoming(8), from: program(1))
        #expect(again.closings.map(\.lastWord) == [.decline(.replaced)])
    }

    /// A displaced program may still have its link, which this side has ended: it is invited, and the link is not resumed.
    @Test func r9TheLinkOfADisplacedProgramIsNotResumed() {
        var machine = linked()
        displace(&machine, by: 2)
        _ = machine.linkGivenUp()
        expect(machine.wished().action, equals: .dial(outgoing, yields: false))
        expect(machine.dialed(outgoing, program(1)).action, equals: .sendPing(outgoing))
        expect(
            machine.receivedPong(outgoing).action,
            equals: .sendInvite(Invite(connectionCount: 1, wish: 1), outgoing)
        )
        // The program has had one more connection, of which this side has not heard.
        _ = machine.receivedDecline(.crossed(connectionCount: 2, epoch: 1), outgoing)
        #expect(machine.link == nil && machine.connectionCount == 2)
        expect(
            machine.dialed(.outgoing(2), program(1)).action,
            equals: .sendInvite(Invite(connectionCount: 2, wish: 1), .outgoing(2))
        )
    }

    @Test func r9TheLastEightDisplacedProgramsAreRemembered() {
        var machine = linked()
        for number in 2...10 { displace(&machine, by: UInt64(number)) }
        let request = Link(epoch: 1, connectionCount: 0)
        for number in 2...9 {
            let connection = MeetingConnection.incoming(UInt64(number))
            let step = machine.receivedLink(request, connection, from: program(UInt64(number)), isMember: true)
            #expect(step.closings.map(\.lastWord) == [.decline(.replaced)])
        }
        let forgotten = machine.receivedLink(request, .incoming(1), from: program(1), isMember: true)
        #expect(forgotten.action == .sendPing(.incoming(1)))
    }

    @Test func r9AReplacedProgramDoesNotReturnByItself() {
        var machine = linked()
        let step = machine.receivedDecline(.replaced, incoming)
        #expect(step.endsLink)
        #expect(step.action == .none)
        var caller = inviting()
        expect(caller.receivedDecline(.replaced, outgoing).action, equals: .fail(.replaced))
    }

    /// A peer that the application invites is invited also if it has not heard that it was introduced.
    @Test(arguments: [true, false]) func r10AnInvitationFollowsARefusedIntroduction(isInvitedFirst: Bool) {
        var machine = MeetingStateMachine(decides: true)
        _ = machine.wished(isIntroduced: !isInvitedFirst)
        _ = machine.wished(isIntroduced: isInvitedFirst)
        let request = Link(epoch: 1, connectionCount: 0)
        expect(machine.dialed(outgoing, program(1)).action, equals: .sendLink(request, outgoing))
        expect(machine.receivedDecline(.refused, outgoing).action, equals: .dial(.outgoing(2), yields: false))
        let invite = Invite(connectionCount: 0, wish: 1)
        expect(machine.dialed(.outgoing(2), program(1)).action, equals: .sendInvite(invite, .outgoing(2)))
        expect(machine.receivedDecline(.refused, .outgoing(2)).action, equals: .fail(.refused))
    }

    @Test(arguments: [true, false])
    func r10OnlyTheDeciderDialsAtOnce(decides: Bool) {
        var machine = linked(decides: decides)
        expect(machine.closed(incoming).action, equals: .dial(outgoing, yields: !decides))
        var introduced = MeetingStateMachine(decides: decides)
        expect(introduced.wished(isIntroduced: true).action, equals: .dial(outgoing, yields: !decides))
        let request = Link(epoch: 1, connectionCount: 0)
        expect(introduced.dialed(outgoing, program(1)).action, equals: .sendLink(request, outgoing))
    }

    @Test func r11AfterTheTimeIsOverAParkedInvitationIsAsked() {
        var machine = inviting()
        _ = machine.receivedInvite(Invite(connectionCount: 0, wish: 1), incoming, from: program(1))
        let step = machine.wishExpired()
        #expect(step.closings.map(\.connection) == [outgoing])
        #expect(step.action == .ask(incoming))
    }

    @Test func r12ALinkIsTakenOverFromADecline() {
        var machine = inviting()
        let step = machine.receivedDecline(.crossed(connectionCount: 1, epoch: 1), outgoing)
        #expect(step.action == .dial(.outgoing(2), yields: false))
        let request = Link(epoch: 1, connectionCount: 1)
        expect(machine.dialed(.outgoing(2), program(1)).action, equals: .sendLink(request, .outgoing(2)))
        let done = machine.receivedAnswer(Link(epoch: 1, connectionCount: 2), .outgoing(2))
        #expect(done.action == .establish(.outgoing(2), answer: nil))
    }

    @Test func r13AGivenUpLinkIsOver() {
        var machine = linked()
        expect(machine.linkGivenUp().closings.map(\.connection), equals: [incoming])
        let request = Link(epoch: 1, connectionCount: 1)
        let step = machine.receivedLink(request, .incoming(2), from: program(1), isMember: true)
        #expect(step.closings.map(\.lastWord) == [.decline(.over(connectionCount: 1, epoch: 1))])
    }

    @Test func r13WhoHearsThatTheLinkIsOverInvites() {
        var machine = linked()
        _ = machine.closed(incoming)
        _ = machine.wished()
        _ = machine.dialed(outgoing, program(1))
        let step = machine.receivedDecline(.over(connectionCount: 1, epoch: 1), outgoing)
        #expect(step.endsLink)
        let invite = Invite(connectionCount: 1, wish: 1)
        expect(machine.dialed(.outgoing(2), program(1)).action, equals: .sendInvite(invite, .outgoing(2)))
    }

    @Test func aRefusedLinkDoesNotRefuseALaterWish() {
        var machine = linked()
        _ = machine.closed(incoming)
        _ = machine.dialed(outgoing, program(1))
        _ = machine.wished()
        let step = machine.receivedDecline(.refused, outgoing)
        #expect(step.endsLink)
        #expect(step.action == .dial(.outgoing(2), yields: false))
    }

    @Test func aStrangerGetsNoLinkWithoutAnInvitation() {
        var machine = MeetingStateMachine(decides: true)
        let request = Link(epoch: 1, connectionCount: 0)
        let step = machine.receivedLink(request, incoming, from: program(1), isMember: false)
        #expect(step.closings.map(\.lastWord) == [.decline(.refused)])
    }

    @Test func aNewcomerThatDeclinesChangesNothing() {
        var machine = linked()
        let invite = Invite(connectionCount: 0, wish: 1)
        _ = machine.receivedInvite(invite, .incoming(2), from: program(2))
        let step = machine.receivedDecline(.replaced, .incoming(2))
        #expect(step.closings.map(\.connection) == [.incoming(2)])
        #expect(machine.isLinked)
        expect(machine.receivedPong(.incoming(2)), equals: MeetingStep())
    }

    @Test func aFrameOutOfTurnEndsTheConnection() {
        let violation = MeetingStep.LastWord.violation(.unexpectedFrame)
        var machine = linked()
        let request = Link(epoch: 1, connectionCount: 1)
        let step = machine.receivedLink(request, incoming, from: program(1), isMember: true)
        #expect(step.closings.map(\.lastWord) == [violation])
        #expect(step.action == .dial(outgoing, yields: false))
        var inviting = inviting()
        let early = inviting.receivedAnswer(Link(epoch: 1, connectionCount: 1), outgoing)
        #expect(early.closings.map(\.lastWord) == [violation])
        _ = inviting.dialed(.outgoing(2), program(1))
        _ = inviting.receivedAccept(.outgoing(2))
        expect(inviting.receivedAccept(.outgoing(2)).closings.map(\.lastWord), equals: [violation])
        expect(inviting.receivedAccept(.outgoing(99)).closings.map(\.lastWord), equals: [violation])
    }

    @Test func countsThatCannotRiseEndTheConnection() {
        let violation = MeetingStep.LastWord.violation(.limitExceeded)
        var machine = MeetingStateMachine(decides: true)
        for request in [Link(epoch: 1, connectionCount: .max), Link(epoch: 0, connectionCount: 0)] {
            let step = machine.receivedLink(request, incoming, from: program(1), isMember: true)
            #expect(step.closings.map(\.lastWord) == [violation])
        }
        var inviting = inviting()
        _ = inviting.receivedDecline(.over(connectionCount: .max, epoch: .max), outgoing)
        _ = inviting.dialed(.outgoing(2), program(1))
        expect(inviting.receivedAccept(.outgoing(2)).closings.map(\.lastWord), equals: [violation])
    }

    @Test func r14ARefusalOfThisSideEndsTheWish() {
        var machine = inviting()
        #expect(machine.refused(outgoing) == MeetingStep())
        #expect(machine.wish == nil && machine.outgoing == nil)
    }

    /// The application has said yes, and then a person says that the digits differ.
    @Test func r14ARefusalIsTheAnswerToTheWishOfThePeer() {
        var machine = MeetingStateMachine(decides: true)
        let invite = Invite(connectionCount: 0, wish: 1)
        _ = machine.receivedInvite(invite, incoming, from: program(1))
        expect(machine.wished().action, equals: .sendAccept(incoming))
        #expect(machine.refused(incoming) == MeetingStep())
        let again = machine.receivedInvite(invite, .incoming(2), from: program(1))
        #expect(again.closings.map(\.lastWord) == [.decline(.refused)] && again.action == .none)
        let later = Invite(connectionCount: 0, wish: 2)
        expect(machine.receivedInvite(later, .incoming(3), from: program(1)).action, equals: .ask(.incoming(3)))
    }

    /// The yes to the peer came from the wish of this side, and does not outlast the no.
    @Test func r14ARefusalOnTheOwnConnectionIsTheAnswerToTheWishOfThePeer() {
        var machine = MeetingStateMachine(decides: true)
        let invite = Invite(connectionCount: 0, wish: 1)
        _ = machine.receivedInvite(invite, incoming, from: program(1))
        _ = machine.wished()
        expect(machine.closed(incoming).action, equals: .dial(outgoing, yields: false))
        _ = machine.dialed(outgoing, program(1))
        #expect(machine.refused(outgoing) == MeetingStep())
        let again = machine.receivedInvite(invite, .incoming(2), from: program(1))
        #expect(again.closings.map(\.lastWord) == [.decline(.refused)] && again.action == .none)
    }

    /// Otherwise this side would dial again and again, to resume what it refuses.
    @Test func r14ALinkThatOnlyThePeerHasIsNoReasonToDialAgain() {
        var machine = inviting()
        let declined = machine.receivedDecline(.crossed(connectionCount: 1, epoch: 1), outgoing)
        expect(declined.action, equals: .dial(.outgoing(2), yields: false))
        _ = machine.dialed(.outgoing(2), program(1))
        #expect(machine.refused(.outgoing(2)) == MeetingStep() && machine.link == nil)
        var resuming = linked()
        _ = resuming.closed(incoming)
        expect(resuming.refused(outgoing).action, equals: .dial(.outgoing(2), yields: false))
    }
}
