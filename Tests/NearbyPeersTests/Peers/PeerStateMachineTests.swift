import PeerCore
import PeerProtocol
import Testing

@testable import NearbyPeers

/// Decisions about one peer.
@Suite struct PeerStateMachineTests {
    private typealias Sample = PeerStateSample

    private let now = Sample.now
    private let first = MeetingConnection.outgoing(1)
    private let second = MeetingConnection.outgoing(2)
    private let theirs = MeetingConnection.incoming(1)
    private let refusal = Refusal(.notTrusted, "The digits were not the same.")

    private func fails(_ actions: [PeerAction], call: Int, with error: PeerError) -> Bool {
        actions.contains(.finish([call], error))
    }

    private func dials(_ actions: [PeerAction]) -> Bool {
        actions.contains { if case .dial = $0 { true } else { false } }
    }

    // MARK: No is final

    /// An earlier attempt has failed for a reason that another attempt may mend; the refusal counts.
    @Test func aPersonsNoIsFinalAndTheReportedError() {
        var peer = Sample.machine(.dialing)
        _ = peer.dialFailed(first, .noAddress, isInRoster: false, at: now)
        #expect(peer.opened(second) == true)
        _ = peer.meet(at: now) { $0.dialed(second, Sample.incarnation) }
        let actions = peer.declined(refusal, PeerError(refusal), on: second, isOutgoing: true, at: now)
        #expect(fails(actions, call: 1, with: PeerError(refusal)))
        #expect(!dials(actions) && peer.meeting.wish == nil && peer.meeting.outgoing == nil)
        #expect(peer.state == .disconnected(.failed(PeerError(refusal))))
    }

    /// The same with a peer that was linked before, and is looked for.
    @Test func aPersonsNoEndsTheSearchForALostPeer() {
        var peer = Sample.machine(.unreachable)
        guard let name = peer.meeting.outgoing?.connection else {
            Issue.record("nothing is dialed")
            return
        }
        #expect(peer.opened(name) == true)
        _ = peer.meet(at: now) { $0.dialed(name, Sample.incarnation) }
        let actions = peer.declined(refusal, PeerError(refusal), on: name, isOutgoing: true, at: now)
        #expect(!dials(actions) && peer.isIdle)
        #expect(peer.state == .disconnected(.failed(PeerError(refusal))))
    }

    /// This side had said yes, because it wants the link too, and the digits differ: the peer's next connection changes nothing.
    @Test func aNoToDigitsHoldsForTheNextConnectionOfTheInvitation() {
        var peer = Sample.machine(.accepted)
        let actions = peer.declined(refusal, PeerError(refusal), on: theirs, isOutgoing: false, at: now)
        #expect(fails(actions, call: 1, with: PeerError(refusal)) && !dials(actions))
        let next = MeetingConnection.incoming(2)
        let again = peer.meet(at: now) {
            $0.receivedInvite(Invite(connectionCount: 0, wish: 1), next, from: Sample.incarnation)
        }
        #expect(again == [.close(Sample.refused(next))])
    }

    /// A connection that has ended unanswered must not stand in the way of the next one.
    @Test func aParkedInvitationThatHasEndedIsForgotten() {
        var peer = Sample.machine(.asking)
        _ = peer.closed(theirs, at: now)
        _ = peer.invited(PeerStateMachine.Request(), by: 1, at: now)
        guard let name = peer.meeting.outgoing?.connection else {
            Issue.record("nothing is dialed")
            return
        }
        #expect(peer.opened(name) == true)
        _ = peer.meet(at: now) { $0.dialed(name, Sample.incarnation) }
        let next = MeetingConnection.incoming(2)
        let invite = Invite(connectionCount: 0, wish: 1)
        _ = peer.meet(at: now) { $0.receivedInvite(invite, next, from: Sample.incarnation) }
        #expect(peer.meeting.incoming?.connection == next)
        let late = Refusal(.noAnswer, "There was no answer in time.")
        _ = peer.declined(late, PeerError(late), on: next, isOutgoing: false, at: now)
        #expect(peer.meeting.incoming == nil)
    }

    /// The application still has the peer as one that comes back.
    @Test func aPeerThatWasLinkedIsDialedIfItsNewLinkIsNotEstablished() {
        var peer = Sample.machine(.linked)
        _ = peer.endLink(.linkLost, at: now)
        #expect(dials(peer.notEstablished(theirs, at: now)))
    }

    /// A full house is no answer of a person.
    @Test func aNoForTheMomentDoesNotEndTheSearchForALostPeer() {
        var peer = Sample.machine(.unreachable)
        let busy = Refusal(.busy, "Other peers are being served. Try again in a moment.")
        _ = peer.declined(busy, PeerError(busy), on: theirs, isOutgoing: false, at: now)
        #expect(peer.meeting.wish != nil && peer.meeting.outgoing != nil)
    }

    // MARK: Comparisons

    /// However they have ended, and although a dial follows each.
    @Test func threeBrokenComparisonsEndTheCall() {
        var peer = Sample.machine(.inviting)
        var name = first
        for count in 1...3 {
            let crossed = Refusal(.crossed, "Another connection is used.")
            let actions = peer.declinedByPeer(crossed, on: name, at: now)
            #expect(dials(actions))
            let broken = peer.comparisonBroke(at: now)
            #expect(fails(broken, call: 1, with: .pairingBroke) == (count == 3))
            guard count < 3, let next = peer.meeting.outgoing?.connection else { break }
            #expect(peer.opened(next) == true)
            _ = peer.meet(at: now) { $0.dialed(next, Sample.incarnation) }
            name = next
        }
        #expect(peer.isIdle && peer.state == .disconnected(.failed(.pairingBroke)))
    }

    // MARK: Attempts

    @Test func threeTimeOutsEndTheCall() {
        var peer = PeerStateMachine(id: Sample.id, decides: true)
        // The first connection is that of a call that did not know the id, and counts, too.
        var (name, _) = peer.adopted(PeerStateMachine.Request(), by: 1, at: now)
        for count in 1...3 {
            guard let connection = name else {
                Issue.record("nothing is dialed")
                return
            }
            _ = peer.meet(at: now) { $0.dialed(connection, Sample.incarnation) }
            let actions = peer.failed(connection, .tooSlow, isInRoster: false, at: now)
            #expect(fails(actions, call: 1, with: .tooSlow) == (count == 3))
            #expect(dials(actions) == (count < 3))
            name = peer.meeting.outgoing?.connection
            if let name { #expect(peer.opened(name) == true) }
        }
        #expect(peer.isIdle && peer.state == .disconnected(.failed(.tooSlow)))
    }

    @Test func aMemberIsTriedOnAfterThreeAttempts() {
        var peer = Sample.machine(.member)
        for _ in 1...5 {
            guard let name = peer.meeting.outgoing?.connection else {
                Issue.record("nothing is dialed")
                return
            }
            let actions = peer.dialFailed(name, .noAddress, isInRoster: true, at: now)
            #expect(dials(actions))
        }
        #expect(peer.state == .unreachable(since: now))
    }

    // MARK: Answers that come late

    /// While a person's answer was saved, the peer has withdrawn its invitation, and has sent another one.
    @Test func aLateYesDoesNotAcceptAnotherInvitation() {
        var peer = Sample.machine(.asking)
        _ = peer.closed(theirs, at: now)
        #expect(peer.accepted(on: theirs, by: 2, at: now) == nil)
        let next = MeetingConnection.incoming(2)
        _ = peer.meet(at: now) {
            $0.receivedInvite(Invite(connectionCount: 0, wish: 2), next, from: Sample.incarnation)
        }
        #expect(peer.accepted(on: theirs, by: 2, at: now) == nil)
        #expect(peer.meeting.isAsking && peer.calls.isEmpty)
        #expect(peer.accepted(on: next, by: 2, at: now) == [.accept(next)])
    }

    /// The conversation has ended at the moment at which its connection should carry the link.
    @Test(arguments: [true, false]) func aLinkThatIsNotEstablishedIsNotWaitedFor(isWanted: Bool) {
        var peer = PeerStateMachine(id: Sample.id, decides: true)
        if isWanted { _ = peer.invited(PeerStateMachine.Request(), by: 1, at: now) }
        let request = Link(epoch: 1, connectionCount: 0)
        let actions = peer.meet(at: now) {
            $0.receivedLink(request, theirs, from: Sample.incarnation, isMember: true)
        }
        #expect(actions.last == .establish(theirs, answer: Link(epoch: 1, connectionCount: 1)))
        let next = peer.notEstablished(theirs, at: now)
        #expect(!peer.hasLink && peer.meeting.link == nil && dials(next) == isWanted)
        #expect(peer.calls.isEmpty == !isWanted)
    }

    /// A link that is being resumed is still there.
    @Test func aLinkThatIsNotResumedIsResumedAgain() {
        var peer = Sample.machine(.resuming)
        let request = Link(epoch: 1, connectionCount: 1)
        let next = MeetingConnection.incoming(2)
        _ = peer.meet(at: now) { $0.receivedLink(request, next, from: Sample.incarnation, isMember: true) }
        let actions = peer.notEstablished(next, at: now)
        #expect(dials(actions))
        #expect(peer.hasLink && peer.meeting.link != nil)
    }

    // MARK: What is known

    @Test func whoeverWasLinkedIsAMemberForAWhile() {
        let memory = Duration.seconds(630)
        var peer = Sample.machine(.linked)
        #expect(peer.isMember(isInRoster: false, memory: memory, at: now))
        _ = peer.giveUp(.notConnected, .lost, at: now)
        #expect(peer.isMember(isInRoster: false, memory: memory, at: now + memory))
        #expect(!peer.isMember(isInRoster: false, memory: memory, at: now + memory + .nanoseconds(1)))
        #expect(peer.isMember(isInRoster: true, memory: memory, at: now + memory + .seconds(1)))
        _ = peer.disconnected(by: 7, at: now)
        #expect(!peer.isMember(isInRoster: true, memory: memory, at: now))
    }

    @Test func theRelationSaysWhoHasAsked() {
        let friend = Sample.other
        #expect(Sample.machine(.fresh).relation(isOutgoing: false, introducer: nil) == .invitesUs)
        #expect(Sample.machine(.fresh).relation(isOutgoing: false, introducer: friend) == .introduced(by: friend))
        #expect(Sample.machine(.dialing).relation(isOutgoing: true, introducer: friend) == .invitedByUs)
        #expect(Sample.machine(.member).relation(isOutgoing: true, introducer: friend) == .introduced(by: friend))
        #expect(Sample.machine(.linked).relation(isOutgoing: true, introducer: friend) == .returns)
    }

    @Test func whoHasRefusedIsInvitedAgainOnlyWhenItAppearsAnew() {
        #expect(Sample.machine(.fresh).mayBeInvited(isNew: false))
        #expect(!Sample.machine(.dialing).mayBeInvited(isNew: true))
        #expect(!Sample.machine(.linked).mayBeInvited(isNew: true))
        #expect(!Sample.machine(.blocked).mayBeInvited(isNew: true))
        var peer = Sample.machine(.inviting)
        _ = peer.declinedByPeer(refusal, on: first, at: now)
        #expect(peer.mayBeInvited(isNew: true) && !peer.mayBeInvited(isNew: false))
        // Nobody was asked at a peer that is busy, so its answer is not for ever.
        for code in [Refusal.Code.busy, .locked] {
            var peer = Sample.machine(.inviting)
            _ = peer.declinedByPeer(Refusal(code, "Not now."), on: first, at: now)
            #expect(peer.mayBeInvited(isNew: false))
        }
        #expect(peer.obstacle == .hasDeclined)
    }
}
