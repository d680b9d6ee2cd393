import NearbyPeers
import PeerCore
import PeerProtocol
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// Members of a group that want others to lose their links or their places.
@Suite(.timeLimit(.minutes(10))) struct LyingMemberTests {
    /// Somebody who does not exist.
    private func stranger(_ number: Int) -> PeerID {
        PeerID(digest: ContentDigest(hashing: Array("no \(number)".utf8)))
    }

    private func record(
        _ id: PeerID,
        _ counter: UInt64 = 1,
        _ status: MemberRecord.Status = .present,
        named name: String = "dan"
    ) -> MemberRecord {
        MemberRecord(
            id: id,
            incarnation: Incarnation(high: 7, low: 7),
            counter: counter,
            status: status,
            displayName: name
        )
    }

    /// The connection of two others breaks, and a member says that one of them has left.
    @Test func aLieDuringABreakEndsNoLink() async throws {
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
                    network.block(from: "anna", to: "ben")
                    network.block(from: "ben", to: "anna")
                    network.cut("anna", "ben")
                    try await world.until { anna.peer(id)?.state != .connected }
                    raw.tell([record(id, 100, .left, named: "ben")])
                    try await ben.send(Line(text: "on the way")).get()
                    try await world.until { anna.links[id] == nil }
                    await network.clock.advance(by: .seconds(2))
                    #expect(anna.states.link(id) === link)
                    network.heal()
                    let received = try await world.whileTimePasses {
                        var iterator = lines.makeAsyncIterator()
                        return await iterator.next()
                    }
                    #expect(received?.message.text == "on the way")
                    #expect(anna.peer(id)?.state == .connected && anna.states.link(id) === link)
                    try await world.until {
                        raw.told(of: id).contains { $0.counter > 100 && $0.status == .present }
                    }
                }
            }
        }
    }

    /// A peer that was let in names members that do not exist.
    @Test func inventedMembersHoldNoPlace() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.maximumPeers = 2 }) { anna in
            try await world.attackLinked(on: anna) { raw in
                raw.tell((0..<63).map { record(stranger($0)) })
                try await world.until { anna.peer(stranger(1)) != nil }
                try await world.session("ben") { ben in
                    _ = try await world.whileTimePasses { try await ben.invite(at: [world.address(of: anna)]) }
                    #expect(anna.connectedPeers.contains(ben.local.id))
                }
            }
        }
    }
}
