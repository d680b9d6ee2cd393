import Foundation
import NIOCore
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// The examples of the guide "Groups".
@Suite(.timeLimit(.minutes(10))) struct GroupsGuideTests {
    private let chat = Chat()

    /// Runs Anna, Ben and Cara, of whom Anna has invited the others.
    private func group(
        _ setting: Chat.Setting = .set(\.topology, .mesh),
        _ body: @escaping @Sendable (_ anna: PeerSession, _ ben: PeerSession, _ cara: PeerSession) async throws -> Void
    ) async throws {
        try await chat.session("anna", setting) { anna in
            try await chat.session("ben", setting) { ben in
                try await chat.session("cara", setting) { cara in
                    try await invite([ben, cara], from: anna)
                    try await body(anna, ben, cara)
                }
            }
        }
    }

    private func invite(_ others: [PeerSession], from session: PeerSession) async throws {
        for other in others {
            let address = try chat.network.address(of: other.local.displayName, port: await other.port)
            let host = try #require(address.ipAddress)
            try await session.invite(at: [PeerAddress(host: host, port: await other.port)])
        }
    }

    private func until(_ condition: @escaping @Sendable () -> Bool) async throws {
        try await chat.network.clock.advance(until: condition)
    }

    @Test func whoeverFindsAGroupJoinsIt() async throws {
        try await chat.session("anna", .set(\.invites, .everyoneFound)) { anna in
            try await chat.session("ben", .set(\.invites, .everyoneFound)) { ben in
                try await chat.session("cara", .set(\.invites, .everyoneFound)) { cara in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for session in [anna, ben, cara] { group.addTask { try await session.advertise() } }
                        try await until { [anna, ben, cara].allSatisfy { $0.connectedPeers.count == 2 } }
                        group.cancelAll()
                    }
                }
            }
        }
    }

    @Test func theEventsTellWhoIntroducesWhom() async throws {
        let shown = Locked<[String]>([])
        try await chat.session("anna") { anna in
            try await chat.session("ben") { ben in
                let events = ben.events()
                let reader = Task {
                    for await case .changed(let peer, _) in events where peer.state == .connected {
                        let origin = peer.introducer.map { "introduced by \(ben.name(of: $0))" } ?? "met directly"
                        shown.withLock { $0.append("\(peer.displayName): \(origin), verified: \(peer.isVerified)") }
                    }
                }
                defer { reader.cancel() }
                try await chat.session("cara") { cara in
                    try await invite([ben, cara], from: anna)
                    try await until { shown.value.contains("cara: introduced by anna, verified: false") }
                    #expect(shown.value.contains("anna: met directly, verified: false"))
                }
            }
        }
    }

    @Test func thoseWhoAreIntroducedMustBeTrusted() async throws {
        let setting = Chat.Setting { configuration in
            configuration.checkCertificate = { peer, _, relation in
                guard case .introduced = relation, peer.trust == .unknown else { return nil }
                return Refusal(.notTrusted, "Invite me yourself, so that we can compare digits.")
            }
        }
        try await chat.session("anna") { anna in
            try await chat.session("ben", setting) { ben in
                try await chat.session("cara") { cara in
                    try await invite([ben, cara], from: anna)
                    await chat.network.clock.advance(by: .seconds(20))
                    #expect(anna.connectedPeers.count == 2)
                    #expect(ben.connectedPeers == [anna.local.id] && cara.connectedPeers == [anna.local.id])
                }
            }
        }
    }

    @Test func inAStarTheMembersKnowTheCentreOnly() async throws {
        try await group(.set(\.topology, .star)) { anna, ben, cara in
            await chat.network.clock.advance(by: .seconds(20))
            #expect(anna.connectedPeers.count == 2)
            #expect(ben.peers.map(\.id) == [anna.local.id] && cara.peers.map(\.id) == [anna.local.id])
        }
    }

    @Test func aMessageGoesToAllSomeOrOne() async throws {
        try await group { anna, ben, cara in
            let lines = try ben.messages(of: ChatLine.self)
            let others = try cara.messages(of: ChatLine.self)
            try await until { ben.connectedPeers.count == 2 }
            try await anna.send(ChatLine(text: "to one"), to: ben.local.id)
            try await anna.send(ChatLine(text: "to some"), to: [ben.local.id, cara.local.id]).get()
            let result = try await anna.send(ChatLine(text: "to all"))
            #expect(result.taken == [ben.local.id, cara.local.id] && result.missed.isEmpty)
            var iterator = lines.makeAsyncIterator()
            for text in ["to one", "to some", "to all"] { #expect(await iterator.next()?.message.text == text) }
            _ = others
        }
    }

    @Test func aFileGoesToAll() async throws {
        try await TemporaryDirectory.with { directory in
            let map = directory.url.appending(path: "map.mbtiles")
            try Data("tiles".utf8).write(to: map)
            try await group { anna, ben, cara in
                let offers = (try ben.resources(), try cara.resources())
                let takers = [Task { try await take(offers.0) }, Task { try await take(offers.1) }]
                let result = try await anna.send(file: map.path, toEach: [ben.local.id, cara.local.id])
                for (peer, error) in result.missed {
                    Issue.record("\(anna.name(of: peer)) is not offered it: \(error)")
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sending in result.sendings { group.addTask { try await sending.finished() } }
                    try await group.waitForAll()
                }
                for taker in takers { #expect(try await taker.value == .bytes(Data("tiles".utf8))) }
            }
        }
    }

    private func take(_ offers: IncomingResources) async throws -> ReceivedResource? {
        for await offer in offers { return try await offer.receive(.memory(limit: 1000)) }
        return nil
    }

    @Test func theLinksShowWhoReachesWhom() async throws {
        try await chat.session("anna") { anna in
            try await chat.session("ben") { ben in
                try await chat.session("cara") { cara in
                    chat.network.partition([["anna", "ben"], ["ben", "cara"]])
                    try await invite([anna, cara], from: ben)
                    let id = cara.local.id
                    try await until {
                        guard case .unreachable? = anna.peer(id)?.state else { return false }
                        return anna.links[id]?.isEmpty == false
                    }
                    let reached = anna.links[id, default: []].subtracting([anna.local.id])
                    #expect(reached == [ben.local.id])
                    let result = try await anna.send(ChatLine(text: "hello"), to: [id])
                    #expect(result.missed[id]?.code == .notConnected)
                }
            }
        }
    }

    @Test func whoeverLeavesIsGoneForAll() async throws {
        try await group { anna, ben, cara in
            try await until { ben.connectedPeers.count == 2 && cara.connectedPeers.count == 2 }
            let id = cara.local.id
            try await chat.network.clock.advance { await cara.leave(telling: "Good night.") }
            try await until { anna.peer(id)?.state == .disconnected(.left("Good night.")) }
            try await until { ben.peer(id)?.state == .disconnected(.left("Good night.")) }
            #expect(ben.connectedPeers == [anna.local.id])
        }
    }

    @Test func aGroupThatIsFullInvitesNobody() async throws {
        try await group(.set(\.maximumPeers, 2)) { anna, ben, _ in
            try await chat.session("dan") { dan in
                let error = await #expect(throws: PeerError.self) { try await invite([dan], from: anna) }
                #expect(error?.code == .busy)
            }
            _ = ben
        }
    }
}
