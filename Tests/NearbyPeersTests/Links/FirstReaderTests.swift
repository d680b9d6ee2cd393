import FoundationEssentials
import NearbyPeers
import PeerTestSupport
import PeerTesting
import Testing

/// Messages that come before their first reader.
@Suite(.timeLimit(.minutes(10))) struct FirstReaderTests {
    private func text(_ lines: IncomingMessages<Line>, _ world: World) async throws -> String? {
        try await world.whileTimePasses {
            var iterator = lines.makeAsyncIterator()
            return await iterator.next()?.message.text
        }
    }

    @Test func aMessageWaitsForItsFirstReader() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let log = StateLog(anna)
            for number in 1...3 { try await ben.send(Line(text: "\(number)"), to: anna.local.id) }
            try await ben.send(Data([4]), to: anna.local.id)
            await network.clock.advance(by: .seconds(5))
            let lines = try anna.messages(of: Line.self)
            for number in 1...3 { #expect(try await text(lines, world) == "\(number)") }
            let data = try anna.data()
            let bytes = try await world.whileTimePasses {
                var iterator = data.makeAsyncIterator()
                return await iterator.next()?.message
            }
            #expect(bytes == Data([4]))
            await network.clock.advance(by: .seconds(20))
            #expect(!log.names.contains { $0.hasPrefix("unread") })
        }
    }

    /// After the time, the message is discarded and reported, and the channel goes on; from then on, nothing waits.
    @Test func aMessageThatNobodyComesForIsDiscarded() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let (log, lines) = (StateLog(anna), try anna.messages(of: Line.self))
            try await ben.send(Position(number: 1), to: anna.local.id)
            try await ben.send(Line(text: "behind it"), to: anna.local.id)
            await network.clock.advance(by: .seconds(9))
            #expect(!log.names.contains("unread position"))
            #expect(try await text(lines, world) == "behind it")
            try await world.until { log.names.contains("unread position") }
            try await ben.send(Position(number: 2), to: anna.local.id)
            try await ben.send(Line(text: "not held up"), to: anna.local.id)
            let start = network.clock.elapsed
            #expect(try await text(lines, world) == "not held up")
            #expect(network.clock.elapsed - start < .seconds(1))
            let positions = try anna.messages(of: Position.self)
            try await ben.send(Position(number: 3), to: anna.local.id)
            let next = try await world.whileTimePasses {
                var iterator = positions.makeAsyncIterator()
                return await iterator.next()?.message.number
            }
            #expect(next == 3)
        }
    }

    /// The window and the outbox bound what waits, as for a reader that is slow.
    @Test func whatWaitsIsBounded() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let (sent, piece) = (Locked(0), Data(repeating: 7, count: 100_000))
            let sender = Task(executorPreference: network.executor) {
                for _ in 0..<100 {
                    try await ben.send(piece, to: anna.local.id)
                    sent.withLock { $0 += 1 }
                }
            }
            await network.clock.advance(by: .seconds(5))
            #expect(sent.value >= 10 && sent.value <= 40)
            let data = try anna.data()
            let reader = Task(executorPreference: network.executor) {
                var iterator = data.makeAsyncIterator()
                for _ in 0..<100 { #expect(await iterator.next()?.message == piece) }
            }
            try await world.whileTimePasses { await reader.value }
            try await sender.value
        }
    }

    /// The peer may be gone before the reader comes.
    @Test func aMessageOutlivesItsLink() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let id = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                try await ben.send(Line(text: "goodbye"), to: anna.local.id)
                try await world.whileTimePasses { try await ben.flush(to: anna.local.id) }
                return ben.local.id
            }
            try await world.until { !anna.connectedPeers.contains(id) }
            let lines = try anna.messages(of: Line.self)
            #expect(try await text(lines, world) == "goodbye")
        }
    }

    /// A message of a link that has ended is not kept for ever.
    @Test func aMessageOfALinkThatHasEndedIsDiscardedInTime() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.session("anna") { anna in
            let log = StateLog(anna)
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                try await ben.send(Line(text: "goodbye"), to: anna.local.id)
                try await world.whileTimePasses { try await ben.flush(to: anna.local.id) }
            }
            await network.clock.advance(by: .seconds(11))
            try await world.until { log.names.contains("unread chat.line") }
        }
    }

    /// It would be worthless by then.
    @Test func aDroppableMessageDoesNotWait() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let log = StateLog(anna)
            _ = try await ben.send(Position(number: 1), mode: .droppable(key: "me"))
            try await world.until(limit: .seconds(1)) { log.names.contains("unread position") }
        }
    }

    @Test func anApplicationMayHaveNoPatience() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.buffers.readerPatience = .zero }) { anna in
            try await world.session("ben") { ben in
                let log = StateLog(anna)
                try await ben.invite(at: [world.address(of: anna)])
                try await ben.send(Line(text: "hello"), to: anna.local.id)
                try await world.until(limit: .seconds(1)) { log.names.contains("unread chat.line") }
            }
        }
        for patience in [Duration.seconds(-1), .seconds(61)] {
            await #expect(throws: PeerError.self) {
                try await world.session("cara", Settings { $0.buffers.readerPatience = patience }) { _ in }
            }
        }
    }
}
