import FoundationEssentials
import PeerCore
import PeerProtocol
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// What happens when a reader takes several messages at once.
@Suite(.timeLimit(.minutes(10))) struct ReadingTests {
    @Test func whatFollowsOnAChannelWaitsUntilAllBeforeItIsRead() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            var lines = try anna.messages(of: Line.self).makeAsyncIterator()
            let data = try anna.data()
            for number in 0..<50 { try await ben.send(Line(text: "\(number)")).get() }
            try await ben.send(Data([1])).get()
            try await world.whileTimePasses { try await ben.flush().get() }
            let hasData = Locked(false)
            let reader = Task {
                var iterator = data.makeAsyncIterator()
                #expect(await iterator.next()?.message == Data([1]))
                hasData.withLock { $0 = true }
            }
            for number in 0..<50 {
                #expect(!hasData.withLock { $0 })
                #expect(await lines.next()?.message.text == "\(number)")
            }
            await reader.value
        }
    }

    @Test func whatIsTakenAtOnceIsBoundedAndGivenBack() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            var data = try anna.data().makeAsyncIterator()
            let link = try #require(anna.states.link(ben.local.id))
            for number in 0..<200 { try await ben.send(Data(repeating: UInt8(number), count: 3000)).get() }
            try await world.whileTimePasses { try await ben.flush().get() }
            for number in 0..<200 {
                #expect(await data.next()?.message == Data(repeating: UInt8(number), count: 3000))
                #expect((0...LinkLimits.maximumAheadLength).contains(link.roomAhead))
                if number == 0 { #expect(link.roomAhead < 8 * 1024) }
            }
            #expect(link.roomAhead == LinkLimits.maximumAheadLength)
        }
    }

    @Test func aReaderThatGoesWithMessagesHoldsUpNothing() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let data = try anna.data()
            let link = try #require(anna.states.link(ben.local.id))
            try await Self.readTheFirstOfMany(anna, ben, world)
            var iterator = data.makeAsyncIterator()
            #expect(await iterator.next()?.message == Data([1]))
            #expect(link.roomAhead == LinkLimits.maximumAheadLength)
        }
    }

    private static func readTheFirstOfMany(_ anna: PeerSession, _ ben: PeerSession, _ world: World) async throws {
        let link = try #require(anna.states.link(ben.local.id))
        var lines = try anna.messages(of: Line.self).makeAsyncIterator()
        for number in 0..<50 { try await ben.send(Line(text: "\(number)")).get() }
        try await ben.send(Data([1])).get()
        try await world.whileTimePasses { try await ben.flush().get() }
        #expect(await lines.next()?.message.text == "0")
        #expect(link.roomAhead < LinkLimits.maximumAheadLength)
    }

    @Test func whatWasTakenIsReadAfterTheLinkHasEnded() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            var lines = try anna.messages(of: Line.self).makeAsyncIterator()
            let id = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                for number in 0..<300 { try await ben.send(Line(text: "\(number)")).get() }
                try await world.whileTimePasses { try await ben.flush().get() }
                return ben.local.id
            }
            #expect(await lines.next()?.message.text == "0")
            try await world.until { anna.peer(id)?.state == .disconnected(.left("")) }
            for number in 1..<300 { #expect(await lines.next()?.message.text == "\(number)") }
        }
    }

    /// The memory of unread data is free when they are read, although the link is kept.
    @Test func whatIsReadAfterTheEndMakesRoom() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            var lines = try anna.messages(of: Line.self).makeAsyncIterator()
            let link = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                for number in 0..<300 { try await ben.send(Line(text: "\(number)")).get() }
                try await world.whileTimePasses { try await ben.flush().get() }
                return try #require(anna.states.link(ben.local.id))
            }
            try await world.until { anna.peer(link.peer)?.state == .disconnected(.left("")) }
            #expect(!anna.inboxes.reserve(Inboxes.maximumLeftoverLength), "nothing is left to read")
            for number in 0..<300 { #expect(await lines.next()?.message.text == "\(number)") }
            #expect(anna.inboxes.reserve(Inboxes.maximumLeftoverLength))
            anna.inboxes.release(Inboxes.maximumLeftoverLength)
            withExtendedLifetime(link) {}
        }
    }

    /// The memory of unread bytes is free when their stream is let go of, although the link is kept.
    @Test func aStreamThatIsLetGoOfAfterTheEndMakesRoom() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let streams = try anna.streams()
            let link = try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let stream = try await ben.openStream(named: "log", to: anna.local.id)
                try await stream.write(Data(count: 10_000))
                stream.finish()
                try await world.whileTimePasses { try await ben.flush().get() }
                return try #require(anna.states.link(ben.local.id))
            }
            try await world.until { anna.peer(link.peer)?.state == .disconnected(.left("")) }
            #expect(!anna.inboxes.reserve(Inboxes.maximumLeftoverLength), "nothing is left to read")
            await Self.takeOne(of: streams)
            #expect(anna.inboxes.reserve(Inboxes.maximumLeftoverLength))
            anna.inboxes.release(Inboxes.maximumLeftoverLength)
            withExtendedLifetime(link) {}
        }
    }

    private static func takeOne(of streams: IncomingStreams) async {
        var iterator = streams.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }

    /// Messages that were acknowledged and have no room after the end are reported, all of their names.
    @Test func whatHasNoRoomAfterTheEndIsReported() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let log = StateLog(anna)
            let lines = try anna.messages(of: Line.self)
            let data = try anna.data()
            #expect(anna.inboxes.reserve(Inboxes.maximumLeftoverLength))
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                for number in 0..<300 { try await ben.send(Line(text: "\(number)")).get() }
                try await ben.send(Data([1])).get()
                try await world.whileTimePasses { try await ben.flush().get() }
            }
            try await world.until { Set(log.names).isSuperset(of: ["unread \(Line.messageName)", "unread bytes"]) }
            _ = (lines, data)
        }
    }

    @Test func aReaderThatGoesMakesRoomForAnother() async throws {
        try await World(.memory).session("anna") { anna in
            for _ in 0..<2 {
                let (streams, invitations) = (try anna.streams(), try anna.invitations())
                let resources = try anna.resources()
                #expect(throws: PeerError.self) { _ = try anna.streams() }
                #expect(throws: PeerError.self) { _ = try anna.invitations() }
                #expect(throws: PeerError.self) { _ = try anna.resources() }
                _ = (streams, invitations, resources)
            }
        }
    }

    @Test func streamsAreRefusedWhileTheyHaveNoReader() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let waiting = try await Self.readOneOfTwoStreams(anna, ben, world)
            let late = try await ben.openStream(named: "late", to: anna.local.id)
            for stream in [waiting, late] {
                let error = try await world.whileTimePasses {
                    await failure { () async throws(PeerError) in for try await _ in stream.bytes {} }
                }
                #expect(error?.message == "The other side takes no streams.")
            }
            _ = try await Self.readOneOfTwoStreams(anna, ben, world)
        }
    }

    /// Returns the stream that was not read.
    private static func readOneOfTwoStreams(
        _ anna: PeerSession,
        _ ben: PeerSession,
        _ world: World
    ) async throws -> PeerStream {
        let streams = try anna.streams()
        let read = try await ben.openStream(named: "read", to: anna.local.id)
        let unread = try await ben.openStream(named: "unread", to: anna.local.id)
        var iterator = streams.makeAsyncIterator()
        #expect(await iterator.next()?.name == "read")
        try await world.until { anna.inboxes.streams.count == 1 }
        read.cancel()
        return unread
    }
}
