import PeerCore
import PeerProtocol
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Peers that nobody has introduced, or not yet.
@Suite(.timeLimit(.minutes(10))) struct HostileIntroductionTests {
    private func record(_ id: PeerID, named name: String = "nobody") -> MemberRecord {
        MemberRecord(id: id, incarnation: Incarnation(high: 7, low: 7), counter: 1, displayName: name)
    }

    @Test func membersBeforeTheLinkEndTheConnection() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.attackAfterHello(on: anna) { raw in
                raw.tell([record(Self.stranger)])
                try await world.until { raw.lastWord != nil }
                #expect(raw.failure == "unexpectedFrame")
            }
            #expect(anna.peer(Self.stranger) == nil)
            #expect(await anna.hub.roster.isAlone)
        }
    }

    @Test func whoeverWasNotIntroducedWaitsAndIsDeclined() async throws {
        let world = World(.memory)
        let clock = try #require(world.network).clock
        try await world.session("anna") { anna in
            try await world.attackAfterHello(on: anna) { raw in
                let start = clock.elapsed
                raw.send(raw.terms())
                try await world.until { raw.lastWord != nil }
                #expect(raw.refusal == .notTrusted)
                #expect(clock.elapsed - start >= .seconds(3) && clock.elapsed - start < .seconds(5))
            }
            #expect(anna.connectedPeers.isEmpty)
        }
    }

    @Test func whoeverIsIntroducedMeanwhileIsLetIn() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            try await world.attackLinked(on: anna) { raw in
                try await world.attackAfterHello(on: anna, as: "eve") { eve in
                    eve.send(eve.terms())
                    await network.clock.advance(by: .seconds(2))
                    #expect(eve.lastWord == nil && anna.connectedPeers == [raw.local.id])
                    raw.tell([record(eve.local.id, named: "eve")])
                    try await world.until { anna.peer(eve.local.id)?.state == .connected }
                    let shown = try #require(anna.peer(eve.local.id))
                    #expect(shown.introducer == raw.local.id && !shown.isVerified)
                }
            }
        }
    }

    /// The guide's handler, which takes nobody whom others introduce.
    private static let noIntroductions = Settings {
        $0.checkCertificate = { peer, _, relation in
            guard case .introduced = relation, peer.trust == .unknown else { return nil }
            return Refusal(.notTrusted, "Invite me yourself.")
        }
    }

    /// The certificate handler is asked again about a peer that is introduced after it has connected.
    @Test(arguments: [true, false]) func theCertificateHandlerIsAskedAgain(linksFirst: Bool) async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna", Self.noIntroductions) { anna in
            try await world.attackLinked(on: anna) { raw in
                try await world.attackAfterHello(on: anna, as: "eve") { eve in
                    if linksFirst { eve.send(eve.terms()) }
                    await network.clock.advance(by: .seconds(1))
                    #expect(eve.lastWord == nil)
                    raw.tell([record(eve.local.id, named: "eve")])
                    await network.clock.advance(by: .milliseconds(100))
                    if !linksFirst { eve.send(eve.invitation()) }
                    try await world.until { eve.lastWord != nil }
                    #expect(eve.refusal == .notTrusted && anna.connectedPeers == [raw.local.id])
                }
            }
        }
    }

    @Test func aSecondRequestForALinkEndsTheConnection() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(raw.terms())
                await network.clock.advance(by: .seconds(1))
                raw.send(raw.terms())
                try await world.until { raw.lastWord != nil }
                #expect(raw.failure == "unexpectedFrame")
            }
        }
    }

    @Test func recordsThatWaitAreBounded() {
        let inbox = MemberInbox()
        let records = (0..<MemberInbox.maximumCount).map { number in
            record(PeerID(digest: ContentDigest(hashing: Array("no \(number)".utf8))))
        }
        #expect(inbox.add([]) == .none)
        #expect(inbox.add(records) == .process && inbox.add(records) == .none)
        #expect(inbox.add([record(Self.bystander)]) == .violated)
        var newer = records[0]
        newer.counter += 1
        #expect(inbox.add([newer, records[0]]) == .none)
        let taken = inbox.take()
        #expect(taken.count == records.count && taken.contains(newer) && !taken.contains(records[0]))
        #expect(inbox.take().isEmpty && inbox.add([records[0]]) == .process)
    }

    private static let bystander = PeerID(digest: ContentDigest(hashing: Array("bystander".utf8)))
    /// Somebody who does not exist.
    private static let stranger = PeerID(digest: ContentDigest(hashing: Array("no 1".utf8)))
}
