import FoundationEssentials
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers
@testable import PeerProtocol

/// Peers that break the rules before there is a link, or of links.
@Suite(.timeLimit(.minutes(10))) struct HostileMeetingTests {
    /// Frames that are out of turn after hello.
    static let outOfTurn: [HostileLinkTests.Attack] = [
        .init("a record before the link") { raw in [.open(raw.stream(0), .bytes, "a")] },
        .init("a credit before the link") { _ in [.credit(Credit(received: 0))] },
        .init("a droppable message before the link") { _ in
            [.droppable(DroppableMessage(channel: .main, message: Message(.bytes, payload: ByteBuffer())))]
        },
        .init("accept of the one who invites") { _ in [.accept] },
        .init("confirmed digits that nobody has seen") { _ in [.pairingConfirmation] },
        .init("two invitations") { raw in [raw.invitation(), raw.invitation(wish: 2)] },
        .init("a record between invitation and link") { raw in
            [raw.invitation(), .open(raw.stream(0), .bytes, "a")]
        },
        .init("a link without a number") { raw in [raw.invitation(), raw.terms(epoch: 1, connectionCount: .max)] },
    ]

    @Test(arguments: outOfTurn) func aFrameOutOfTurnEndsTheConnection(_ attack: HostileLinkTests.Attack) async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(try attack.frames(raw))
                try await world.until { raw.failure != nil || raw.side.hasEnded }
            }
            #expect(anna.connectedPeers.isEmpty)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// Its next words may be on the way: it hears that it was too slow, and can try again.
    @Test(arguments: [false, true]) func silenceIsNoRefusal(invites: Bool) async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackAfterHello(on: anna) { raw in
                if invites {
                    raw.send(raw.invitation())
                    try await world.until { raw.side.frames.contains(.accept) }
                }
                try await world.until(limit: .seconds(300)) { raw.side.hasEnded }
                #expect(raw.failure == "timedOut")
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// This side wants the stranger, but nobody has compared digits.
    @Test(arguments: [false, true]) func whoIsInvitedGetsNoLinkBeforeDigitsAreCompared(invites: Bool) async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.admission = .ask(comparing: nil) }) { anna in
            try await world.attackAfterHello(on: anna) { raw in
                let nowhere = PeerAddress(host: "192.0.2.99", port: 1)
                let wish = Task { try? await anna.invite(at: [nowhere], expecting: raw.local.id) }
                try await world.until { anna.peer(raw.local.id)?.state == .connecting(.dialing) }
                raw.send(invites ? [raw.invitation(takesAnyone: false), raw.terms()] : [raw.terms()])
                try await world.until { raw.lastWord != nil }
                #expect(invites ? raw.failure == "unexpectedFrame" : raw.refusal == .notTrusted)
                #expect(anna.connectedPeers.isEmpty)
                wish.cancel()
                _ = await wish.value
            }
        }
    }

    @Test(arguments: World.Kind.allCases) func aStrangerWithoutAnInvitationGetsNoLink(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(raw.terms())
                try await world.until { raw.lastWord != nil }
                #expect(raw.refusal == .notTrusted)
            }
            #expect(anna.connectedPeers.isEmpty)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test func recordsThatWereNeverSentCannotHaveBeenReceived() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(raw.invitation())
                try await world.until { raw.side.frames.contains(.accept) }
                raw.send(raw.terms(received: 5))
                try await world.until { raw.failure != nil }
            }
            #expect(anna.connectedPeers.isEmpty)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test(arguments: [true, false]) func anAnnouncementCanLeaveTheIdOut(announces: Bool) async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.announcesIdentity = announces }) { anna in
            try await world.session("ben") { ben in
                let announcement = Task { try await anna.advertise() }
                defer { announcement.cancel() }
                let found = try await world.whileTimePasses { () -> NearbyPeer? in
                    for try await peers in ben.browse() where !peers.isEmpty { return peers.first }
                    return nil
                }
                let peer = try #require(found)
                #expect(peer.peerID == (announces ? anna.local.id : nil) && peer.displayName == "anna")
            }
        }
    }

    @Test func aProgramWithoutSessionsOrIncarnationIsToldSo() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            for sessions in [true, false] {
                try await world.attack(on: anna, incarnation: sessions ? nil : .random()) { raw in
                    raw.sayHello(sessions: sessions)
                    try await world.until { raw.failure != nil }
                }
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test(arguments: World.Kind.allCases) func whoBreaksTheProtocolAndHangsUpIsNotAwaited(
        _ kind: World.Kind
    ) async throws {
        let world = World(kind)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let id = try await world.attackLinked(on: anna) { raw in
                raw.send(.credit(Credit(received: .max)))
                raw.side.connection.finish()
                return raw.local.id
            }
            try await world.until { anna.peer(id)?.state != .connected }
            // Over TCP, the frame may be lost with the connection: then the link lives, and waits.
            try await world.until { anna.states.link(id)?.inspect { $0.failure } == nil }
            if world.network != nil { #expect(anna.states.link(id) == nil) }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test func aKeyWithEverNewIncarnationsLeavesNothingBehind() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let id = try world.configuration("mallory").local.id
            for _ in 0..<40 {
                try await world.attackLinked(on: anna) { raw in raw.send(.open(raw.stream(0), .messages, "main")) }
            }
            try await world.until { anna.peer(id)?.state != .connected }
            #expect(anna.states.links.count <= 1)
            #expect(await anna.hub.connectionCount <= 2)
            #expect(await anna.hub.peers.ids.count == 1)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test func invitationsOfManyKeysWaitInLimitedNumber() async throws {
        let world = World(.memory)
        let ask = Settings { $0.admission = .ask(comparing: nil) }
        try await world.session("anna", ask) { anna in
            let invitations = try anna.invitations()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let done = Locked(false)
                let (said, refused) = (Locked(0), Locked(0))
                for number in 0..<40 {
                    group.addTask {
                        try await world.attackAfterHello(on: anna, as: "stranger \(number)") { raw in
                            raw.send(raw.invitation(takesAnyone: false))
                            try await world.until {
                                raw.lastWord != nil || raw.side.frames.count > 1 || raw.side.hasEnded
                            }
                            said.withLock { $0 += 1 }
                            try await world.until(limit: .seconds(300)) {
                                done.value || raw.lastWord != nil || raw.side.hasEnded
                            }
                            if raw.lastWord != nil || raw.side.hasEnded { refused.withLock { $0 += 1 } }
                        }
                    }
                }
                try await world.until { said.value >= 30 }
                let asking = await anna.hub.pairingCount
                #expect(asking <= 8)
                done.set(true)
                try? await group.waitForAll()
                #expect(refused.value >= 20)
            }
            #expect(anna.inboxes.invitations.count == 0)
            _ = invitations
        }
    }
}

extension SessionHub {
    fileprivate var connectionCount: Int { connections.numbers.count }
    /// How many connections have a pairing that goes on.
    fileprivate var pairingCount: Int {
        connections.records.values.count { $0.conversation.state.pairing?.machine.hasBegun == true && !$0.isFinished }
    }
}
