import Foundation
import Logging
import NIOCore
import PeerCore
import PeerProtocol
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Members of a group that lie about others, or about the session itself.
@Suite(.timeLimit(.minutes(10))) struct HostileGroupTests {
    private static let incarnation = Incarnation(high: 7, low: 7)

    /// Somebody who does not exist.
    private func stranger(_ number: Int) -> PeerID {
        PeerID(digest: ContentDigest(hashing: Array("no \(number)".utf8)))
    }

    private func record(
        _ id: PeerID,
        _ counter: UInt64 = 1,
        _ status: MemberRecord.Status = .present,
        named name: String = "dan",
        at addresses: [String] = [],
        links: [PeerID] = []
    ) -> MemberRecord {
        MemberRecord(
            id: id,
            incarnation: Self.incarnation,
            counter: counter,
            status: status,
            displayName: name,
            addresses: addresses,
            links: links.map { MemberRecord.Mark(of: $0) }
        )
    }

    @Test func strangersAreIntroducedAsSuchAndForgotten() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let id = stranger(1)
            try await world.attackLinked(on: anna) { raw in
                raw.tell([record(id)])
                try await world.until { anna.peer(id)?.isUnreachable == true }
                let shown = try #require(anna.peer(id))
                #expect(!shown.isVerified && shown.introducer == raw.local.id)
                #expect(anna.connectedPeers == [raw.local.id])
                // Nobody vouches for it, so it is given up, although the member that has told of it is still there.
                await world.network?.clock.advance(by: .seconds(660))
                #expect(anna.connectedPeers == [raw.local.id])
                #expect(await anna.hub.roster.members[id] == nil)
                #expect(anna.peer(id) == nil)
            }
        }
    }

    @Test func whoeverIsVouchedForStaysAsLongAsTheLiarDoes() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let (id, other) = (stranger(1), stranger(2))
            try await world.attackLinked(on: anna) { raw in
                // The word of somebody who is not connected does not count.
                raw.tell([record(id), record(other, links: [stranger(3)]), record(stranger(3))])
                raw.tell([record(raw.local.id, links: [id, other])])
                await world.network?.clock.advance(by: .seconds(660))
                #expect(Set(await anna.hub.roster.members.keys) == [id, other, raw.local.id])
                #expect(anna.peer(id)?.isVerified == false && anna.connectedPeers == [raw.local.id])
            }
            await world.network?.clock.advance(by: .seconds(700))
            #expect(await anna.hub.roster.members.isEmpty)
        }
    }

    @Test func theSessionItselfIsNotIntroducedAndRefutesWhatIsSaidOfIt() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.attackLinked(on: anna) { raw in
                let highest = MemberRecord.maximumCounterOfOthers
                for counter in [7, 1000, highest] {
                    raw.tell([record(anna.local.id, counter, .left, named: "nobody")])
                    try await world.until {
                        raw.told(of: anna.local.id).contains { $0.counter > counter && $0.status == .present }
                    }
                }
                // A lie that would use up the counters is not believed, so it need not be refuted.
                raw.tell([record(anna.local.id, MemberRecord.maximumCounter, .left)])
                await world.network?.clock.advance(by: .seconds(5))
                let last = try #require(raw.told(of: anna.local.id).last)
                #expect(last.counter < highest + 100 && last.status == .present && last.displayName == "anna")
                #expect(anna.peer(anna.local.id) == nil && anna.connectedPeers == [raw.local.id])
                #expect(await anna.hub.roster.memberCount == 2)
            }
        }
    }

    @Test func aFriendsNameWithAnotherKeyIsRefused() async throws {
        let world = World(.memory)
        let friends = KnownPeers()
        await friends.pin(stranger(1), name: "ben")
        try await world.session("anna", Settings { $0.trust = friends }) { anna in
            let events = anna.events()
            let refused = Locked<[PeerID]>([])
            let reader = Task {
                for await case .refused(let peer, let error) in events where error.code == .notTrusted {
                    refused.withLock { $0.append(peer.id) }
                }
            }
            defer { reader.cancel() }
            let impostor = try world.configuration("ben").local
            try await world.attackLinked(on: anna) { raw in
                raw.tell([record(impostor.id, named: "ben")])
                try await world.until { anna.peer(impostor.id) != nil }
                try await world.attackAfterHello(on: anna, as: "ben", with: impostor) { ben in
                    ben.send(ben.terms())
                    try await world.until { ben.lastWord != nil }
                    #expect(ben.failure == "notTrusted")
                }
                try await world.until { refused.value.contains(impostor.id) }
                #expect(anna.connectedPeers == [raw.local.id])
                #expect(anna.peer(impostor.id)?.isVerified != true)
            }
        }
    }

    @Test func aMemberThatIsRefusedIsTriedOnceAMinuteByEachSide() async throws {
        let world = World(.memory)
        let asked = Locked(0)
        let refuse = { @Sendable (peer: RemotePeer, _: Data, _: PeerRelation) -> Refusal? in
            guard peer.displayName == "cara" else { return nil }
            asked.withLock { $0 += 1 }
            return Refusal(.declined, "Not her.")
        }
        try await world.sessions(["anna", "cara"]) { sessions in
            try await world.session("ben", { $0.checkCertificate = refuse }) { ben in
                try await sessions[0].invite(at: [world.address(of: sessions[1])])
                try await sessions[0].invite(at: [world.address(of: ben)])
                try await world.until { asked.value > 0 }
                await world.network?.clock.advance(by: .seconds(300))
                #expect(asked.value >= 3 && asked.value <= 14)
                #expect(ben.connectedPeers == [sessions[0].local.id])
            }
        }
    }

    @Test func addressesElsewhereAreNotDialed() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let id = stranger(1)
            try await world.attackLinked(on: anna) { raw in
                let named = [
                    "8.8.8.8:53", "10.1.2.3:1", "127.0.0.1:22", "example.org:80", "[2001:db8::1]:1", "192.0.2.77:1",
                ]
                raw.tell([record(id, at: named)])
                try await world.until { anna.peer(id) != nil }
                #expect(await anna.hub.destination(of: id).texts == ["192.0.2.77:1"])
                #expect(await anna.hub.peers[id]?.destination.addresses.isEmpty == true)
            }
        }
    }

    @Test func whatIsBeyondTheBoundsEndsTheLinkOfTheLiarOnly() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let id = stranger(1).hex
            let one = #"{"id":"\#(id)","incarnation":"AAAAAAAAAAcAAAAAAAAABw","counter":C,"status":"present"}"#
            let allowed = one.replacing("C", with: "1")
            let tooMany = Array(repeating: allowed, count: 65).joined(separator: ",")
            let tooHigh = one.replacing("C", with: "4294967296")
            for (index, list) in [allowed, tooMany, tooHigh].enumerated() {
                try await world.attackLinked(on: anna, as: "mallory \(index)") { raw in
                    raw.send(.record(Record(.members, payload: ByteBuffer(string: #"{"members":[\#(list)]}"#))))
                    guard index == 0 else {
                        return try await world.until { raw.failure != nil }
                    }
                    try await world.until { anna.peer(stranger(1)) != nil }
                    #expect(raw.failure == nil)
                }
            }
            #expect(await anna.hub.roster.members.count <= 4)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// Names, and takes back, more members than there can be, as fast as it can.
    @Test func aFloodOfRecordsLeavesNothingBehindAndIsNotDialedWithoutEnd() async throws {
        let world = World(.memory)
        let attempts = Locked(0)
        let counting = Settings {
            $0.reconnection.patience = .seconds(60)
            $0.logger = Logger(label: "anna") { _ in CountingLog(message: "attempt", count: attempts) }
        }
        try await world.session("anna", counting) { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                for round in 0..<20 {
                    let ids = (0..<60).map { stranger(round * 60 + $0) }
                    raw.tell(ids.map { record($0) })
                    raw.tell(ids.map { record($0, 2, .left) })
                    // As many as may wait; more would end the link.
                    await world.network?.clock.advance(by: .milliseconds(1))
                }
                // The same one, again and again.
                for counter in 0..<200 {
                    let first = UInt64(2 * counter + 1)
                    raw.tell([record(stranger(-1), first), record(stranger(-1), first + 1, .left)])
                }
                raw.tell((0..<60).map { record(stranger(10_000 + $0)) })
                raw.tell((0..<60).map { record(stranger(20_000 + $0)) })
                try await world.until { anna.links[stranger(20_000)] != nil }
                await world.network?.clock.advance(by: .seconds(2))
                #expect(attempts.value <= 400)
                #expect(await anna.hub.roster.members.count == 63)
                #expect(await anna.hub.peers.ids.count <= 64 && anna.peers.count <= 64)
                #expect(raw.lastWord == nil)
            }
            await world.network?.clock.advance(by: .seconds(120))
            #expect(await anna.hub.roster.members.isEmpty)
            #expect(await anna.hub.peers.ids.count <= 1)
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    @Test func aLieThatAnotherHasLeftEndsNoLink() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                try await world.until { anna.connectedPeers == [ben.local.id] }
                let id = ben.local.id
                let link = try #require(anna.states.link(id))
                try await world.attackLinked(on: anna) { raw in
                    for counter: UInt64 in [100, 200, 300] {
                        raw.tell([record(id, counter, .left, named: "ben")])
                        try await world.until {
                            raw.told(of: id).contains { $0.counter > counter && $0.status == .present }
                        }
                        #expect(anna.peer(id)?.state == .connected && anna.states.link(id) === link)
                    }
                    await network.clock.advance(by: .seconds(20))
                    #expect(await anna.hub.roster.members[id]?.record.status == .present)
                    #expect(anna.peer(id)?.state == .connected && anna.states.link(id) === link)
                }
                try await ben.send(Line(text: "still here")).get()
                let received = try await world.whileTimePasses {
                    var iterator = lines.makeAsyncIterator()
                    return await iterator.next()
                }
                #expect(received?.message.text == "still here")
            }
        }
    }

    /// Nobody learns anything of the others before it is let in.
    @Test func aStrangerHearsOnlyANumber() async throws {
        let world = World(.memory)
        let ask = Settings { $0.admission = .ask(comparing: nil) }
        try await world.session("anna", ask) { anna in
            let invitations = try anna.invitations()
            try await world.attackAfterHello(on: anna) { raw in
                raw.send(raw.invitation(takesAnyone: false))
                await world.network?.clock.advance(by: .seconds(20))
                for frame in raw.side.frames {
                    switch frame {
                    case .hello, .pairingCommitment, .decline: break
                    case .failure(let failure): #expect(failure.code == "timedOut")
                    default: Issue.record("the stranger has heard \(frame.type)")
                    }
                }
            }
            _ = invitations
        }
    }
}

extension RawSession {
    /// Tells what this side claims to know of members.
    func tell(_ records: [MemberRecord]) {
        do {
            send(try MemberList.payloads(of: records).map { .record(Record(.members, payload: $0)) })
        } catch {
            Issue.record(error)
        }
    }

    /// What the session has said of a member.
    func told(of id: PeerID) -> [MemberRecord] {
        side.frames.flatMap { frame -> [MemberRecord] in
            guard case .record(let record) = frame, record.kind == .members else { return [] }
            return ((try? MemberList(decoding: record.payload))?.members ?? []).filter { $0.id == id }
        }
    }
}
