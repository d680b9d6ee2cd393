import Foundation
import Logging
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// What a session tells about its peers, apart from events.
@Suite(.timeLimit(.minutes(5))) struct PeerListTests {
    @Test func eachListHasAllPeers() async throws {
        let world = World(.memory)
        try await world.sessions { anna, ben in
            var lists = anna.peerLists().makeAsyncIterator()
            #expect(await lists.next() == [])
            try await ben.invite(at: [world.address(of: anna)])
            while let peers = await lists.next(), peers.map(\.state) != [.connected] {}
            #expect(anna.peers.map(\.id) == [ben.local.id])
            await ben.leave(telling: "Lunch")
            while let peers = await lists.next(), peers.map(\.state) != [.disconnected(.left("Lunch"))] {}
            #expect(anna.peers.first?.state.description == "disconnected (left: Lunch)")
        }
    }

    /// No event tells that a peer is forgotten.
    @Test func whoIsForgottenIsInNoList() async throws {
        let local = try World(.memory).configuration("anna").local
        let states = PeerStates(local: local, logger: Logger(label: "test"))
        var lists = PeerLists(states: states).makeAsyncIterator()
        #expect(await lists.next() == [])
        let peer = SessionPeer(
            id: local.id,
            displayName: "Ben",
            platform: "",
            software: "",
            state: .disconnected(.lost),
            isVerified: false
        )
        states.update(peer)
        #expect(await lists.next() == [peer])
        states.remove(peer.id)
        #expect(await lists.next() == [])
        states.finish()
        #expect(await lists.next() == nil)
    }

    @Test func statisticsCountBytesAndConnections() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            #expect(await anna.statistics(of: anna.local.id) == nil)
            let bytes = try anna.data()
            try await ben.send(Data(repeating: 7, count: 100_000)).get()
            var iterator = bytes.makeAsyncIterator()
            #expect(await iterator.next()?.message.count == 100_000)
            try await world.whileTimePasses { try await ben.flush().get() }
            let (sent, received) = (await ben.statistics(of: anna.local.id), await anna.statistics(of: ben.local.id))
            #expect((100_000..<102_000).contains(try #require(sent).bytesSent))
            #expect((100_000..<102_000).contains(try #require(received).bytesReceived))
            #expect(sent?.bytesWaiting == 0 && sent?.connectionCount == 1)
            network.partition([["anna"], ["ben"]])
            try await ben.send(Data(repeating: 8, count: 5000)).get()
            #expect(try #require(await ben.statistics(of: anna.local.id)).bytesWaiting >= 5000)
            network.heal()
            try await world.whileTimePasses { try await ben.flush(timeout: .seconds(60)).get() }
            #expect(await ben.statistics(of: anna.local.id)?.connectionCount == 2)
        }
    }

    /// Whatever nobody reads is reported once.
    @Test func whatHasNoReaderIsReported() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let names = Locked<[String]>([])
            let events = anna.events()
            let reading = Task {
                for await case .unread(let name, _) in events { names.withLock { $0.append(name) } }
            }
            defer { reading.cancel() }
            try await ben.send(Line(text: "Hello")).get()
            try await world.until { names.value == ["chat.line"] }
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            try await stream.write(Data([1]))
            try await world.until { names.value == ["chat.line", "log"] }
            let question = Task { try await ben.request(Greeting(name: "Ben"), from: anna.local.id) }
            try await world.until { names.value == ["chat.line", "log", "greeting"] }
            question.cancel()
            let sending = try await ben.send(resource: .bytes(Data([1])), named: "photo", to: anna.local.id)
            try await world.until { names.value == ["chat.line", "log", "greeting", "photo"] }
            sending.cancel()
        }
    }

    @Test func statesAreWrittenInWords() {
        #expect("\(PeerState.connecting(.handshaking))" == "connecting (handshaking)")
        #expect("\(PeerState.reconnecting(since: .now))" == "reconnecting")
        let refusal = Refusal(.declined, "Not now.")
        #expect("\(PeerState.disconnected(.declined(refusal)))" == "disconnected (declined: Not now.)")
    }
}
