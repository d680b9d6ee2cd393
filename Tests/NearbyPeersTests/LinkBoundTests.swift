import FoundationEssentials
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers

/// What an application sees when a link is at one of its bounds: nothing is lost silently, and nothing stays full.
@Suite(.timeLimit(.minutes(10))) struct LinkBoundTests {
    @Test func aMessageOnTheSeventeenthChannelIsRefusedHere() async throws {
        try await World(.memory).linked { anna, ben in
            for number in 1...16 {
                let result = await ben.send(Data([1]), on: try MessageChannel("c\(number)"))
                #expect(result.taken == [anna.local.id])
            }
            let result = await ben.send(Data([1]), on: try MessageChannel("c17"))
            #expect(result.taken.isEmpty)
            #expect(result.missed[anna.local.id]?.message == PeerError.channelRefused.message)
        }
    }

    @Test func streamsThatWaitForTheirReaderDoNotHoldUpMessages() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let lines = try anna.messages(of: Line.self)
            var opened: [PeerStream] = []
            for number in 0..<LinkLimits.standard.maximumWaitingCount {
                opened.append(try await ben.openStream(named: "\(number)", to: anna.local.id))
            }
            try await world.until { anna.inboxes.streams.count == LinkLimits.standard.maximumWaitingCount }
            #expect(try await ben.send(Line(text: "hello")).taken == [anna.local.id])
            let received = try await world.whileTimePasses {
                var iterator = lines.makeAsyncIterator()
                return await iterator.next()
            }
            #expect(received?.message.text == "hello")
            _ = (streams, opened)
        }
    }

    @Test func streamsThatAreLetGoOfUnreadGiveTheirWindowBack() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            for _ in 0..<200 {
                let stream = try await ben.openStream(named: "log", to: anna.local.id)
                try await stream.write(Data(count: 1000))
                stream.finish()
                try await world.whileTimePasses {
                    try await ben.flush()
                    var iterator = streams.makeAsyncIterator()
                    try #require(await iterator.next()).finish()
                }
            }
            let link = try #require(anna.board.link(ben.local.id))
            try await world.until { link.inspect { $0.streams.streamCount == 0 && $0.handles.discarded.isEmpty } }
        }
    }

    @Test func aStreamThatTheOtherSideCancelsDoesNotHoldUpFlushing() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let stream = try await ben.openStream(named: "log", to: anna.local.id)
            var iterator = streams.makeAsyncIterator()
            let incoming = try #require(await iterator.next())
            // More than may be on the way unread: the rest waits for credit.
            try await stream.write(Data(count: 100_000))
            let link = try #require(ben.board.link(anna.local.id))
            try await world.until(limit: .seconds(5)) {
                link.inspect { $0.records.isAcknowledged && $0.streams.hasOutgoing }
            }
            let isFlushed = Locked(false)
            let flush = Task {
                try await ben.flush(timeout: .seconds(60))
                isFlushed.withLock { $0 = true }
            }
            await network.clock.advance(by: .seconds(1))
            #expect(!isFlushed.value)
            incoming.cancel()
            try await world.until(limit: .seconds(10)) { isFlushed.value }
            try await flush.value
        }
    }

    @Test func aFullQueueOfAReaderHoldsUpNoPeerForEver() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let lines = try anna.messages(of: Line.self)
            let queue = try #require(anna.inboxes.queue(of: Line.messageName))
            try await ben.send(Line(text: "ben"))
            try await world.until { queue.count == 1 }
            // Each reader that goes lets the links tell of their messages anew.
            for _ in 0..<2000 { _ = try anna.data() }
            #expect(queue.count == 1024)
            try await world.session("cleo") { cleo in
                try await cleo.invite(at: [world.address(of: anna)])
                try await cleo.send(Line(text: "cleo"), to: [anna.local.id])
                try await world.whileTimePasses { try await cleo.flush() }
                let texts = Locked<[String]>([])
                let reader = Task {
                    for await line in lines { texts.withLock { $0.append(line.message.text) } }
                }
                try await world.until { texts.value.count == 2 }
                #expect(texts.value == ["ben", "cleo"])
                reader.cancel()
                await reader.value
            }
        }
    }
}

extension Inboxes {
    /// The links that wait for a reader of the main channel.
    fileprivate func queue(of name: String) -> ReadyQueue<LinkDriver>? {
        LinkName(name).flatMap { queue(of: Key(channel: .main, name: $0)) }
    }
}
