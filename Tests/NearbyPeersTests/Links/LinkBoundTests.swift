import FoundationEssentials
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers
@testable import PeerProtocol

/// What an application sees when a link is at one of its bounds: nothing is lost silently, and nothing stays full.
@Suite(.timeLimit(.minutes(10))) struct LinkBoundTests {
    @Test func aMessageOnTheSeventeenthChannelIsRefusedHere() async throws {
        try await World(.memory).linked { anna, ben in
            for number in 1...16 {
                let result = try await ben.send(Data([1]), on: try MessageChannel(validating: "c\(number)"))
                #expect(result.taken == [anna.local.id])
            }
            let result = try await ben.send(Data([1]), on: try MessageChannel(validating: "c17"))
            #expect(result.taken.isEmpty)
            #expect(result.missed[anna.local.id]?.message == PeerError.channelRefused.message)
        }
    }

    /// Whatever makes a message too large, the peers miss it.
    @Test func aMessageWithMoreValuesThanAnyoneReadsIsNotSent() async throws {
        let world = World(.memory)
        try await world.session("anna", Settings { $0.messages.append(Numbers.self) }) { anna in
            try await world.session("ben") { ben in
                try await ben.invite(at: [world.address(of: anna)])
                let (id, most) = (anna.local.id, ControlJSON.maximumMessageValueCount)
                // The value itself and its list count, too.
                #expect(try await ben.send(Numbers(all: Array(repeating: 0, count: most - 2))).taken == [id])
                for numbers in [Array(repeating: 0, count: most - 1), Array(repeating: 1_234_567_890, count: 100_000)] {
                    let result = try await ben.send(Numbers(all: numbers))
                    #expect(result.taken.isEmpty && result.missed[id]?.code == .invalidArgument)
                    #expect(result.missed[id]?.remedy == "Send large data as a resource.")
                    let error = await failure { () async throws(PeerError) in
                        try await ben.send(Numbers(all: numbers), to: id)
                    }
                    #expect(error == result.missed[id])
                }
            }
        }
    }

    @Test func aMessageWithMoreValuesThanAnyoneReadsIsNotRead() throws {
        let most = ControlJSON.maximumMessageValueCount
        let form = Message.Form.json(try #require(LinkName("numbers")), version: 1)
        for (count, isRead) in [(most - 2, true), (most - 1, false)] {
            let text = #"{"all":["# + Array(repeating: "0", count: count).joined(separator: ",") + "]}"
            let message = Message(form, payload: ByteBuffer(string: text))
            #expect((MessageCoding.decode(Numbers.self, from: message) != nil) == isRead)
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
                    try await ben.flush().get()
                    var iterator = streams.makeAsyncIterator()
                    try #require(await iterator.next()).finish()
                }
            }
            let link = try #require(anna.states.link(ben.local.id))
            try await world.until { link.inspect { $0.streams.streams.isEmpty && $0.handles.discarded.isEmpty } }
        }
    }

    /// Nothing else is sent on the link, so nothing but the reading makes room.
    @Test func whoWaitsForAStreamGetsOneWhenOthersAreRead() async throws {
        let world = World(.memory)
        let network = try #require(world.network)
        try await world.linked { anna, ben in
            let streams = try anna.streams()
            let own = try #require(ben.states.link(anna.local.id))
            let opened = Locked<[PeerStream]>([])
            let others = Locked<[PeerStream]>([])
            let opening = Task {
                while true {
                    let stream = try await ben.openStream(named: "s", to: anna.local.id)
                    stream.finish()
                    opened.withLock { $0.append(stream) }
                    // More than some that wait for their reader would be refused.
                    while others.value.count < opened.value.count { try await Task.sleep(for: .milliseconds(1)) }
                }
            }
            let reader = Task {
                for await stream in streams {
                    try await stream.write(Data(count: 10))
                    stream.finish()
                    others.withLock { $0.append(stream) }
                }
            }
            try await world.until {
                own.inspect { $0.waits.waits[.room]?.isEmpty == false } && opened.value.count > 100
            }
            await network.clock.advance(by: .seconds(10))
            let count = opened.value.count
            #expect(others.value.count == count && own.inspect { $0.waits.waits[.room]?.isEmpty == false })
            // Both sides have finished all. What has come is read now, which says nothing to the other side.
            for stream in opened.value.prefix(10) {
                _ = try await world.whileTimePasses {
                    for try await _ in stream.bytes {}
                }
            }
            try await world.until(limit: .seconds(5)) { opened.value.count > count }
            opening.cancel()
            reader.cancel()
            _ = await (opening.result, reader.result)
        }
    }

    @Test func requestsThatAreTooLongTakeNoPlace() async throws {
        let world = World(.memory)
        try await world.linked { anna, ben in
            let link = try #require(ben.states.link(anna.local.id))
            let answering = Task {
                try await anna.answer(Greeting.self) { request, _ in "\(request.name.utf8.count)" }
            }
            for _ in 0..<100 {
                let error = await #expect(throws: PeerError.self) {
                    try await ben.request(
                        Greeting(name: String(repeating: "a", count: 1_100_000)),
                        from: anna.local.id
                    )
                }
                #expect(error?.code == .invalidArgument && error?.remedy == "Send large data as a resource.")
            }
            #expect(link.inspect { $0.streams.streams.isEmpty && $0.askers.count == 0 })
            let answer = try await world.whileTimePasses {
                try await ben.request(Greeting(name: "Ben"), from: anna.local.id)
            }
            #expect(answer == "3")
            let other = try #require(anna.states.link(ben.local.id))
            try await world.until { other.inspect { $0.streams.requests.open.isEmpty && $0.streams.heldLength == 0 } }
            answering.cancel()
            _ = await answering.result
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
            let link = try #require(ben.states.link(anna.local.id))
            try await world.until(limit: .seconds(5)) {
                link.inspect { $0.records.isAcknowledged && $0.streams.hasOutgoing }
            }
            let isFlushed = Locked(false)
            let flush = Task {
                try await ben.flush(timeout: .seconds(60)).get()
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
            try await ben.send(Line(text: "ben")).get()
            try await world.until { queue.count == 1 }
            // Each reader that goes lets the links tell of their messages anew.
            for _ in 0..<2000 { _ = try anna.data() }
            #expect(queue.count == 1024)
            try await world.session("cleo") { cleo in
                try await cleo.invite(at: [world.address(of: anna)])
                try await cleo.send(Line(text: "cleo"), to: anna.local.id)
                try await world.whileTimePasses { try await cleo.flush().get() }
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

private struct Numbers: PeerMessage {
    static let messageName = "numbers"
    var all: [Int]
}

extension Inboxes {
    /// The links that wait for a reader of the main channel.
    fileprivate func queue(of name: String) -> ReadyQueue<LinkDriver>? {
        LinkName(name).flatMap { queue(of: Key(channel: .main, name: $0)) }
    }
}
