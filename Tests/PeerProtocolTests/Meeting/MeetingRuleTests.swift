import PeerProtocol
import Testing

/// Each rule of the page Meeting, for one machine.
@Suite struct MeetingRuleTests {
    private let peer = Incarnation(high: 1, low: 1)
    private let other = Incarnation(high: 2, low: 2)
    private let first = MeetingConnection.outgoing(1)
    private let second = MeetingConnection.outgoing(2)
    private let theirs = MeetingConnection.incoming(1)
    private let later = MeetingConnection.incoming(2)
    private let invite = Invite(connectionCount: 0, wish: 1)
    private let request = Link(epoch: 1, connectionCount: 0)

    private func dialing(decides: Bool = true) -> MeetingStateMachine {
        var machine = MeetingStateMachine(decides: decides)
        expect(machine.wished().action, equals: .dial(first, yields: false))
        return machine
    }

    private func inviting(decides: Bool = true) -> MeetingStateMachine {
        var machine = dialing(decides: decides)
        expect(machine.dialed(first, peer).action, equals: .sendInvite(invite, first))
        return machine
    }

    private func asking() -> MeetingStateMachine {
        var machine = MeetingStateMachine(decides: true)
        expect(machine.receivedInvite(invite, theirs, from: peer).action, equals: .ask(theirs))
        return machine
    }

    /// A machine whose link has epoch 1, over one connection that the peer dialed.
    private func linked(decides: Bool = true) -> MeetingStateMachine {
        var machine = MeetingStateMachine(decides: decides)
        let step = machine.receivedLink(request, theirs, from: peer, isMember: true)
        let answer = Link(epoch: 1, connectionCount: 1)
        expect(step.action, equals: .establish(theirs, answer: answer))
        return machine
    }

    @Test func r1AWishJoinsTheAttempt() {
        var machine = inviting()
        expect(machine.wished(), equals: MeetingStep())
        #expect(machine.dialCount == 1)
    }

    @Test func r2AnInvitationIsAskedUntilItIsAnswered() {
        var machine = asking()
        let step = machine.receivedInvite(invite, later, from: peer)
        #expect(step.action == .ask(later))
        #expect(step.closings.map(\.connection) == [theirs])
        expect(machine.answered(true).action, equals: .sendAccept(later))
        expect(machine.closed(later), equals: MeetingStep())
        expect(machine.receivedInvite(invite, theirs, from: peer).action, equals: .sendAccept(theirs))
        expect(machine.closed(theirs), equals: MeetingStep())
        let next = Invite(connectionCount: 0, wish: 2)
        expect(machine.receivedInvite(next, later, from: peer).action, equals: .ask(later))
        let refusal = machine.answered(false)
        #expect(refusal.closings.map(\.lastWord) == [.decline(.refused)])
        let old = machine.receivedInvite(invite, theirs, from: peer)
        #expect(old.action == .none)
        #expect(old.closings.map(\.connection) == [theirs])
    }

    @Test(arguments: [true, false])
    func r3WithNothingSaidTheIncomingConnectionCounts(decides: Bool) {
        var machine = dialing(decides: decides)
        let step = machine.receivedInvite(invite, theirs, from: peer)
        #expect(step.action == .sendAccept(theirs))
        #expect(step.closings.map(\.connection) == [first])
    }

    @Test func r3TheDeciderParksWhatCrossesItsInvitation() {
        var machine = inviting()
        expect(machine.receivedInvite(invite, theirs, from: peer), equals: MeetingStep())
        var made = machine
        let request = Link(epoch: 1, connectionCount: 0)
        expect(made.receivedAccept(first).action, equals: .sendLink(request, first))
        let step = made.receivedAnswer(Link(epoch: 1, connectionCount: 1), first)
        #expect(step.action == .establish(first, answer: nil))
        #expect(step.closings.map(\.lastWord) == [.decline(.crossed(connectionCount: 1, epoch: 1))])
        expect(machine.closed(first).action, equals: .sendAccept(theirs))
    }

    @Test func r3TheOtherSideTakesWhatCrossesItsInvitation() {
        var machine = inviting(decides: false)
        let step = machine.receivedInvite(invite, theirs, from: peer)
        #expect(step.action == .sendAccept(theirs))
        #expect(step.closings.map(\.connection) == [first])
    }

    @Test func r4AWishAnswersTheQuestion() {
        var machine = asking()
        expect(machine.wished().action, equals: .sendAccept(theirs))
        expect(machine.answered(false), equals: MeetingStep())
    }

    @Test func r5ALinkIsResumed() {
        var machine = linked()
        let resumed = Link(epoch: 1, connectionCount: 1)
        let step = machine.receivedLink(resumed, later, from: peer, isMember: false)
        let answer = Link(epoch: 1, connectionCount: 2)
        #expect(step.action == .establish(later, answer: answer))
        #expect(step.closings.map(\.connection) == [theirs])
        #expect(!step.endsLink)
    }

    @Test func r6WhatIsFromBeforeIsDeclined() {
        var machine = linked()
        let crossed = MeetingStep.LastWord.decline(.crossed(connectionCount: 1, epoch: 1))
        let invited = machine.receivedInvite(invite, later, from: peer)
        #expect(invited.closings.map(\.lastWord) == [crossed])
        let asked = machine.receivedLink(request, later, from: peer, isMember: true)
        #expect(asked.closings.map(\.lastWord) == [crossed])
        #expect(machine.isLinked)
    }

    @Test func r7AnInvitationEndsTheLink() {
        var machine = linked()
        let again = Invite(connectionCount: 1, wish: 1)
        let step = machine.receivedInvite(again, later, from: peer)
        #expect(step.endsLink)
        #expect(step.action == .ask(later))
        #expect(step.closings.map(\.connection) == [theirs])
    }

    @Test func r7AHigherEpochEndsTheLink() {
        var machine = linked()
        let next = Link(epoch: 2, connectionCount: 1)
        let step = machine.receivedLink(next, later, from: peer, isMember: false)
        #expect(step.endsLink)
        let answer = Link(epoch: 2, connectionCount: 2)
        #expect(step.action == .establish(later, answer: answer))
    }

    @Test func r8AnotherProgramCountsOnceItAnswersAPing() {
        var machine = linked()
        expect(machine.receivedInvite(invite, later, from: other).action, equals: .sendPing(later))
        #expect(machine.isLinked)
        let step = machine.receivedPong(later)
        #expect(step.endsLink)
        #expect(step.action == .ask(later))
        #expect(step.closings.map(\.lastWord) == [.decline(.replaced)])
        #expect(machine.connectionCount == 0)
    }

    @Test func r8AProgramThatHasEndedDisturbsNothing() {
        var machine = linked()
        _ = machine.receivedInvite(invite, later, from: other)
        expect(machine.closed(later), equals: MeetingStep())
        #expect(machine.isLinked)
    }
}
