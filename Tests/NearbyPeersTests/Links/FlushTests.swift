import FoundationEssentials
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// `flush` says for whom it held, whenever it is called.
@Suite(.timeLimit(.minutes(10))) struct FlushTests {
    private func flush(_ session: PeerSession, _ peer: PeerID) async -> PeerError? {
        await failure { () async throws(PeerError) in try await session.flush(to: peer) }
    }

    /// The message was taken, and the link has ended with it: who flushes later hears of it, once.
    @Test func whatWasLostIsToldWheneverFlushIsCalled() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let id = anna.local.id
            network.partition([["anna"], ["ben"]])
            try await ben.send(Line(text: "lost"), to: id)
            await network.clock.advance(by: .seconds(60))
            #expect(await flush(ben, id)?.code == .connectionLost)
            // The loss is told, and there is still no link.
            #expect(await flush(ben, id)?.code == .notConnected)
        }
    }

    /// A call for all names the peer, too, also after it is linked again.
    @Test func aCallForAllTellsOfALossAfterTheReturn() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let id = anna.local.id
            network.partition([["anna"], ["ben"]])
            try await ben.send(Line(text: "lost"), to: id)
            try await world.until { if case .unreachable? = ben.peer(id)?.state { true } else { false } }
            network.heal()
            try await world.until { ben.connectedPeers == [id] }
            let result = try await world.whileTimePasses { try await ben.flush() }
            #expect(result.arrived.isEmpty && result.missed.mapValues(\.code) == [id: .connectionLost])
            #expect(throws: PeerError.self) { try result.get() }
            let next = try await world.whileTimePasses { try await ben.flush() }
            #expect(next.arrived == [id] && next.missed.isEmpty)
        }
    }

    /// A call that waits when the link ends says the same, and says it alone.
    @Test func aCallThatWaitsWhileTheLinkEndsTellsOfTheLoss() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let id = anna.local.id
            network.partition([["anna"], ["ben"]])
            try await ben.send(Line(text: "lost"), to: id)
            let error = try await world.whileTimePasses {
                await failure { () async throws(PeerError) in try await ben.flush(to: id, timeout: .seconds(120)) }
            }
            #expect(error?.code == .connectionLost)
            await network.clock.advance(by: .seconds(1))
            #expect(await flush(ben, id)?.code == .notConnected)
        }
    }

    /// The end of a link on which everything has arrived is no loss.
    @Test func aLinkThatEndsWithNothingOnItLosesNothing() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let id = anna.local.id
            try await ben.send(Line(text: "arrives"), to: id)
            try await world.whileTimePasses { try await ben.flush(to: id) }
            network.partition([["anna"], ["ben"]])
            // What the session itself has to say does not count.
            await ben.rename("benjamin")
            await network.clock.advance(by: .seconds(60))
            #expect(try await ben.flush().missed.isEmpty)
            #expect(await flush(ben, id)?.code == .notConnected)
        }
    }

    @Test func whoHasNoLinkIsMissed() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let stranger = try world.configuration("cara").local.id
            let result = try await world.whileTimePasses {
                try await ben.flush(to: [anna.local.id, stranger, ben.local.id])
            }
            #expect(result.arrived == [anna.local.id])
            #expect(result.missed.mapValues(\.code) == [stranger: .notConnected, ben.local.id: .notConnected])
            #expect(await flush(ben, stranger)?.code == .notConnected)
        }
    }

    /// One that does not acknowledge uses up the time, and the others have what they have all the same.
    @Test func aPeerThatIsLateIsMissedAlone() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.group(["anna", "ben", "cara"]) { sessions in
            let (anna, ben, cara) = (sessions[0], sessions[1].local.id, sessions[2].local.id)
            network.partition([["anna", "ben"], ["cara"]])
            try await anna.send(Line(text: "hello")).get()
            let result = try await world.whileTimePasses { try await anna.flush(timeout: .seconds(5)) }
            #expect(result.arrived == [ben] && result.missed.mapValues(\.code) == [cara: .timedOut])
            network.heal()
            let later = try await world.whileTimePasses { try await anna.flush(timeout: .seconds(60)) }
            #expect(later.arrived == [ben, cara])
        }
    }

    /// What the peer has thrown away with its channel was lost, too, although the link lives.
    @Test func aChannelThatThePeerCancelsIsALoss() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            try await world.attackLinked(on: anna) { raw in
                let id = raw.local.id
                try await anna.send(Data([1]), to: id)
                try await world.until { raw.side.frames.contains { $0.opened != nil } }
                let stream = try #require(raw.side.frames.compactMap(\.opened).first)
                raw.send(.end(stream, .cancelled))
                // The answer to what follows shows that the end has arrived.
                raw.send(.open(raw.stream(0), .bytes, "unread"))
                try await world.until { raw.side.frames.contains { $0.ended != nil } }
                let error = await failure { () async throws(PeerError) in try await anna.flush(to: id) }
                #expect(error?.code == .connectionLost)
            }
        }
    }
}

extension Frame {
    /// The stream that it opens; nil if it opens none.
    fileprivate var opened: UInt32? {
        guard case .record(let record) = self, record.kind == .open else { return nil }
        return try? StreamOpening(decoding: record.payload).stream
    }

    /// The stream that it ends; nil if it ends none.
    fileprivate var ended: UInt32? {
        guard case .record(let record) = self, record.kind == .end else { return nil }
        return try? StreamEnd(decoding: record.payload).stream
    }
}
