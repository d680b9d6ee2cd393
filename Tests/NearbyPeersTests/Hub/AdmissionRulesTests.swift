import PeerCore
import PeerProtocol
import Testing

@testable import NearbyPeers

/// The rules by which peers are admitted, as tables.
@Suite struct AdmissionRulesTests {
    private static let id = PeerStateSample.id
    private static let policies: [AdmissionPolicy.Rule] = [.ask, .trusted, .everyone, .closed("Later.")]

    private static func remote(trusted: Bool = false, byLink: Bool = false) -> RemotePeer {
        var remote = RemotePeer(
            id: id,
            displayName: "Ben",
            platform: "Linux",
            software: "test 1",
            address: "192.0.2.1:1",
            security: .encrypted(id),
            trust: trusted ? .trusted(name: "Ben") : .unknown
        )
        remote.isAdmittedByShareLink = byLink
        return remote
    }

    private static func request(token: ShareToken? = nil) -> InvitationRequest {
        InvitationRequest(
            Invite(connectionCount: 0, wish: 1),
            PeerStateMachine.Request(token: token),
            memberCount: 1,
            takesAnyone: false
        )
    }

    @Test(arguments: policies) func aTokenAdmitsAlways(_ policy: AdmissionPolicy.Rule) {
        #expect(policy.refusal(of: Self.request(token: .random()), isWanted: false, isFull: true) == nil)
        for digits in [false, true] {
            #expect(policy.welcomes(Self.remote(byLink: true), hasDigits: digits, isMember: false))
        }
    }

    @Test(arguments: policies) func whoFindsNoPlaceIsRefused(_ policy: AdmissionPolicy.Rule) {
        let request = Self.request()
        #expect(policy.refusal(of: request, isWanted: true, isFull: true) == .full)
        #expect(policy.refusal(of: request, isWanted: true, isFull: false) == nil)
    }

    @Test func aClosedSessionTakesOnlyWhomItWants() {
        let policy = AdmissionPolicy.Rule.closed("Later.")
        let refusal = Refusal(.declined, "Later.")
        #expect(policy.refusal(of: Self.request(), isWanted: false, isFull: false) == refusal)
        #expect(policy.refusal(of: Self.request(), isWanted: false, isFull: true) == refusal)
        #expect(policy.refusal(of: Self.request(), isWanted: true, isFull: false) == nil)
        #expect(AdmissionPolicy.Rule.ask.refusal(of: Self.request(), isWanted: false, isFull: false) == nil)
    }

    @Test(arguments: policies, [false, true]) func membersAreWelcomeWithoutDigits(
        _ policy: AdmissionPolicy.Rule,
        digits: Bool
    ) {
        let isWelcome = policy.welcomes(Self.remote(), hasDigits: digits, isMember: true)
        #expect(isWelcome == (!digits || policy == .everyone))
    }

    @Test(arguments: policies, [false, true]) func strangersAreAskedAbout(_ policy: AdmissionPolicy.Rule, digits: Bool)
    {
        #expect(policy.welcomes(Self.remote(), hasDigits: digits, isMember: false) == (policy == .everyone))
        let isWelcome = policy.welcomes(Self.remote(trusted: true), hasDigits: digits, isMember: false)
        #expect(isWelcome == (policy == .everyone || policy == .trusted && !digits))
    }

    @Test(arguments: [false, true], [false, true]) func requestsForLinks(hasSlot: Bool, isInRoster: Bool) {
        func admission(isKnown: Bool, isFull: Bool) -> LinkAdmission {
            LinkAdmission(isKnown: isKnown, hasSlot: hasSlot, isInRoster: isInRoster, isFull: isFull)
        }
        #expect(admission(isKnown: false, isFull: false) == .awaitsIntroduction)
        #expect(admission(isKnown: false, isFull: true) == .awaitsIntroduction)
        #expect(admission(isKnown: true, isFull: false) == .admitted)
        // The limit is for peers that are neither linked nor in the group.
        #expect(admission(isKnown: true, isFull: true) == (hasSlot || isInRoster ? .admitted : .full))
    }

    @Test func theApplicationIsAskedAgainAboutIntroducedPeersOnly() {
        let introduced = PeerRelation.introduced(by: PeerStateSample.other)
        let relations: [PeerRelation] = [.invitedByUs, .invitesUs, introduced, .returns]
        for first in relations {
            #expect(introduced.needsNewAnswer(after: first) == (first == .invitesUs))
            for other in relations where other != introduced { #expect(!other.needsNewAnswer(after: first)) }
        }
        #expect(!introduced.needsNewAnswer(after: nil))
    }

    @Test func onlyALaterCallUnblocks() {
        let blocked = PeerStateSample.machine(.blocked)
        #expect(blocked.isBlocked(since: nil))
        #expect(blocked.isBlocked(since: 4))
        #expect(!blocked.isBlocked(since: 6))
        #expect(!PeerStateSample.machine(.linked).isBlocked(since: nil))
    }

    @Test func endsSayWhyThereIsNoLink() {
        let failure = Failure(code: "timedOut", message: "Too slow.")
        #expect(Conversation.End.failedByPeer(failure).error(cause: nil)?.code == .connectionLost)
        #expect(Conversation.End.failed(failure).error(cause: PeerError.requestTimedOut) == .tooSlow)
        #expect(Conversation.End.failed(failure).error(cause: PeerError.invitesItself) == .invitesItself)
        #expect(Conversation.End.violated(.unexpected(.link)).error(cause: nil)?.code == .protocolViolation)
        let goodbye = Conversation.End.cancelledByPeer(Cancellation(reason: "Home."))
        #expect(goodbye.error(cause: nil) == .peerLeft)
        #expect(goodbye.reason(.peerLeft) == .left("Home."))
        let dismissal = Conversation.End.cancelledByPeer(Cancellation(reason: "Enough.", disconnects: true))
        #expect(dismissal.error(cause: nil) == .disconnectedByPeer)
        #expect(dismissal.reason(.disconnectedByPeer) == .disconnected("Enough."))
        #expect(Conversation.End.violated(.unexpected(.link)).reason(.linkLost) == .failed(.linkLost))
        for end in [Conversation.End.declined(.full), .declinedByPeer(.full), .connectionLost] {
            #expect(end.error(cause: nil) == nil)
        }
    }
}
