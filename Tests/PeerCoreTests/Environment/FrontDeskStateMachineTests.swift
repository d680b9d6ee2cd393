import Foundation
import NIOCore
import Testing

@testable import PeerCore

@Suite struct FrontDeskStateMachineTests {
    private static let id = PeerID(digest: ContentDigest(hashing: [1]))
    private static let opened = InboundPart.opened(.encrypted(id))
    private static let hello = InboundPart.frame(.hello(peerHello()))
    private static let link = InboundPart.frame(.link(.sample))
    private static let sessionInvitation = InboundPart.frame(.invite(InvitationRequest(timeout: 300, session: .sample)))
    private static let transferInvitation = InboundPart.frame(.invite(InvitationRequest(timeout: 300)))
    private static let header = InboundPart.dataHeader(DataHeader(resource: 0, offset: 0, length: 1))
    private static let join = {
        var random = SystemRandomNumberGenerator()
        return InboundPart.frame(.join(LaneJoin(secret: LaneSecret(using: &random))))
    }()

    private static let secret = {
        var random = SystemRandomNumberGenerator()
        return LaneSecret(using: &random)
    }()
    private static let claim = {
        let notice = ResourceNotice(transfer: UUID(), verb: .attach(secret))
        return InboundPart.frame(.record(Record(.resource, payload: (try? notice.encoded()) ?? ByteBuffer())))
    }()

    private let ownHello = RawPeer.hello(role: .sender, encryption: .required)
    private let configuration = SessionConfiguration()

    /// What a peer with sessions says of itself.
    private static func peerHello(_ id: PeerID = id, features: [String] = [Hello.sessionsFeature]) -> Hello {
        var hello = RawPeer.hello(id, encryption: .required)
        hello.features = features
        hello.incarnation = .random()
        return hello
    }

    /// A machine that has got these parts.
    private func machine(_ parts: InboundPart...) -> FrontDeskStateMachine {
        var machine = FrontDeskStateMachine(hello: ownHello)
        for part in parts { _ = machine.received(part) }
        return machine
    }

    @Test func itGreetsBeforeThePeerSaysAnything() {
        var machine = machine()
        #expect(machine.timeout(configuration) == configuration.securingTimeout)
        expect(machine.received(Self.opened), equals: .greet(ownHello))
        #expect(machine.timeout(configuration) == configuration.handshakeTimeout)
        expect(machine.received(Self.hello), equals: .wait)
        #expect(machine.timeout(configuration) == configuration.manifestTimeout && !machine.isDecided)
    }

    @Test func theFirstFrameAfterTheHelloDecides() {
        for part in [Self.link, Self.sessionInvitation] {
            var machine = machine(Self.opened, Self.hello)
            expect(machine.received(part), equals: .decide(.session))
            #expect(machine.isDecided && machine.timeout(configuration) == nil)
        }
        for part in [Self.transferInvitation, Self.join, Self.hello, Self.header, .frame(.accept)] {
            var machine = machine(Self.opened, Self.hello)
            expect(machine.received(part), equals: .decide(.transfer))
            #expect(machine.isDecided)
        }
    }

    @Test func whatComesTooEarlyIsForTheSender() {
        for part in [Self.link, Self.sessionInvitation, Self.join, Self.header, Self.claim] {
            var first = machine()
            expect(first.received(part), equals: .decide(.transfer))
            var second = machine(Self.opened)
            expect(second.received(part), equals: .decide(part.isJoin ? .lane : .transfer))
        }
    }

    /// The frame with the secret is for the desk, and what follows is a transfer.
    @Test func whoPresentsASecretWantsToCarryAResource() {
        var machine = machine(Self.opened, Self.hello)
        expect(machine.received(Self.claim), equals: .decideWithout(.attachment(Self.secret, from: Self.id)))
        #expect(machine.isDecided)
    }

    @Test func otherRecordsAreForTheSession() throws {
        let offer = ResourceNotice.Offer(name: "map", size: 1, count: 1)
        let notice = ResourceNotice(transfer: UUID(), verb: .offer(offer))
        let records = [
            Record(.resource, payload: try notice.encoded()), Record(.resource, payload: ByteBuffer(string: "{}")),
            Record(.bytes, payload: ByteBuffer()),
        ]
        for record in records {
            var machine = machine(Self.opened, Self.hello)
            expect(machine.received(.frame(.record(record))), equals: .decide(.session))
        }
    }

    /// Whom the sender refuses, and whom it knows from version 1, is not kept waiting.
    @Test func aHelloWithoutSessionsOrWithAMistakeIsForTheSender() {
        var foreign = Self.peerHello()
        foreign.application = "other"
        let other = PeerID(digest: ContentDigest(hashing: [2]))
        for hello in [Self.peerHello(features: [Hello.lanesFeature]), foreign, Self.peerHello(other)] {
            var machine = machine(Self.opened)
            expect(machine.received(.frame(.hello(hello))), equals: .decide(.transfer))
        }
    }

    @Test func whoDoesNotEncryptIsForTheSender() {
        for part in [InboundPart.opened(.plainText), .encryptionMismatch(peerWants: .plainText)] {
            var machine = machine()
            expect(machine.received(part), equals: .decide(.transfer))
        }
    }

    @Test func silenceIsNoWish() {
        for var machine in [machine(), machine(Self.opened), machine(Self.opened, Self.hello)] {
            expect(machine.timeIsOver(), equals: .decide(.nothing))
        }
    }

    @Test func aConnectionThatHasEndedIsForTheSender() {
        for var machine in [machine(), machine(Self.opened), machine(Self.opened, Self.hello)] {
            expect(machine.gaveUp(), equals: .decide(.transfer))
        }
    }
}

extension SessionInvitation {
    /// An invitation of a first member.
    static let sample = SessionInvitation(members: 1, connectionCount: 0, wish: 1, takesAnyone: false)
}

extension LinkTerms {
    /// The terms of a first link.
    static let sample = LinkTerms(
        epoch: 1,
        connectionCount: 0,
        received: 0,
        window: 65_536,
        maximumMessageLength: 1_048_576
    )
}

extension InboundPart {
    fileprivate var isJoin: Bool {
        if case .frame(.join) = self { true } else { false }
    }
}
