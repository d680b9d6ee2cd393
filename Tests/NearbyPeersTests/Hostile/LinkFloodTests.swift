import FoundationEssentials
import NIOCore
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

@testable import NearbyPeers
@testable import PeerProtocol

/// Floods of frames that are each allowed: what this process holds for the peer stays bounded, and others are served.
@Suite(.timeLimit(.minutes(10))) struct LinkFloodTests {
    /// What a session holds for a peer.
    private func held(by session: PeerSession, for peer: RawSession) throws -> Int {
        let link = try #require(session.states.link(peer.local.id))
        return link.inspect { state in
            let droppable = state.channels.values.reduce(0) { $0 + ($1.droppable?.payload.storageCapacity ?? 0) }
            let reasons = state.handles.ends.values.reduce(0) { $0 + $1.reason.utf8.count }
            return state.streams.heldLength + droppable + reasons
        }
    }

    /// How many entries a link keeps for streams.
    private func entryCount(of session: PeerSession, for peer: RawSession) throws -> Int {
        let link = try #require(session.states.link(peer.local.id))
        return link.inspect { state in
            let handles = state.handles
            let requests = state.streams.requests.open.count + state.handlers.count
            let streams = handles.open.count + handles.ends.count + handles.untakenStreams.count
            let channels = state.channels.values.reduce(0) { $0 + 1 + $1.streams.count + $1.announced.count }
            return requests + streams + state.inbound.count + channels
        }
    }

    /// Runs a flood against a session that reads lines, and then checks that others are served.
    private func flood(
        _ world: World = World(.memory),
        _ body: @escaping @Sendable (RawSession, PeerSession) async throws -> Void
    ) async throws {
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                try await body(raw, anna)
                #expect(raw.lastWord == nil)
                try await world.checkThatOthersAreServed(by: anna, lines)
            }
        }
    }

    /// Waits until a session has processed everything that a peer has sent: its answer to a ping.
    private func settle(_ world: World, _ raw: RawSession) async throws {
        _ = try await world.whileTimePasses { await raw.side.connection.roundTrip() }
    }

    @Test func openingsWithoutEndAreRefusedAndThenEndTheLink() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let streams = try anna.streams()
            try await world.attackLinked(on: anna) { raw in
                for first in stride(from: 0, to: 10_000, by: 100) {
                    raw.send((first..<first + 100).map { .open(raw.stream($0), .bytes, "flood") })
                }
                try await settle(world, raw)
                if let link = anna.states.link(raw.local.id) {
                    #expect(link.inspect { $0.streams.streams.count } <= LinkLimits.standard.maximumWaitingCount)
                    #expect(try entryCount(of: anna, for: raw) <= 3 * LinkLimits.standard.maximumWaitingCount)
                }
                try await world.checkThatOthersAreServed(by: anna, lines)
            }
            _ = streams
        }
    }

    @Test(arguments: World.Kind.allCases) func unknownMessagesAreReportedAFewTimes(_ kind: World.Kind) async throws {
        let world = World(kind)
        try await flood(world) { raw, anna in
            let log = StateLog(anna)
            raw.send(.open(raw.stream(0), .messages, "main"))
            for number in 0..<10_000 {
                raw.send(try .message(raw.stream(0), "unknown.n\(number)", "{}"))
                if number.isMultiple(of: 1000) { try await settle(world, raw) }
            }
            try await settle(world, raw)
            try await world.until { log.names.contains("unknown.n0 1") }
            #expect(log.names.count { $0.hasPrefix("unknown") } <= 16)
        }
    }

    @Test func linesThatCannotBeReadAreReportedAFewTimes() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let log = StateLog(anna)
            try await world.attackLinked(on: anna) { raw in
                raw.send(.open(raw.stream(0), .messages, "main"))
                let nested = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
                let long = #"{""# + String(repeating: "k", count: 10_000) + #"":1}"#
                for _ in 0..<20 {
                    for text in ["", "{", nested, long, #"{"text":"a","text":"b"}"#, #"{"text":1}"#] {
                        raw.send(try .message(raw.stream(0), "chat.line", text))
                    }
                }
                try await settle(world, raw)
                let delivered = Locked(0)
                let reader = Task { for await _ in lines { delivered.withLock { $0 += 1 } } }
                let link = try #require(anna.states.link(raw.local.id))
                try await world.until {
                    link.inspect { $0.channels.values.allSatisfy { $0.front == .open && $0.announced.isEmpty } }
                }
                reader.cancel()
                await reader.value
                #expect(delivered.value == 0)
                try await world.checkThatOthersAreServed(by: anna, lines)
                try await world.until { log.names.contains("chat.line 1") }
                #expect(log.names.count { $0 == "chat.line 1" } == 1)
                #expect(raw.lastWord == nil)
            }
        }
    }

    @Test func messagesThatAreGivenUpDoNotFillTheQueueOfTheReader() async throws {
        let world = World(.memory)
        try await flood(world) { raw, anna in
            for number in 0..<3000 {
                let stream = raw.stream(number)
                raw.send(
                    .open(stream, .messages, "main"),
                    try .message(stream, "chat.line", #"{"text":"gone"}"#),
                    .end(stream, .cancelled)
                )
                if number.isMultiple(of: 500) { try await settle(world, raw) }
            }
            try await settle(world, raw)
            #expect(try entryCount(of: anna, for: raw) <= 4)
        }
    }

    @Test func requestsThatAreGivenUpAreForgotten() async throws {
        let world = World(.memory)
        try await flood(world) { raw, anna in
            raw.send(.open(raw.stream(0), .requests, ""), .open(raw.stream(1), .longRequests, ""))
            for number in 0..<3000 {
                let number = UInt64(number + 1) * 2
                raw.send(
                    try .request(raw.stream(0), number, "greeting", #"{"name":"mallory"}"#),
                    .entry(raw.stream(0), .withdrawal(number))
                )
                if number.isMultiple(of: 500) { try await settle(world, raw) }
            }
            try await settle(world, raw)
            #expect(try entryCount(of: anna, for: raw) == 0)
            #expect(try held(by: anna, for: raw) == 0)
            #expect(try anna.inboxes.readRequests("greeting").queue.count == 0)
        }
    }

    @Test func streamsThatAreGivenUpAreForgotten() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let streams = try anna.streams()
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                let reason = String(repeating: "r", count: 1000)
                for number in 0..<3000 {
                    raw.send(.open(raw.stream(number), .bytes, "s"), .end(raw.stream(number), .cancelled, reason))
                    if number.isMultiple(of: 500) { try await settle(world, raw) }
                }
                try await settle(world, raw)
                #expect(try entryCount(of: anna, for: raw) == 0)
                #expect(anna.inboxes.streams.count == 0)
                try await world.checkThatOthersAreServed(by: anna, lines)
            }
            _ = streams
        }
    }

    @Test func streamsThatHaveEndedInBothDirectionsAreForgotten() async throws {
        try await World(.memory).linked { anna, ben in
            let streams = try anna.streams()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var iterator = streams.makeAsyncIterator()
                    for _ in 0..<20 {
                        let stream = try #require(await iterator.next())
                        for try await piece in stream.bytes { try await stream.write(piece) }
                        stream.finish()
                    }
                }
                for _ in 0..<20 {
                    let stream = try await ben.openStream(named: "echo", to: anna.local.id)
                    try await stream.write(Data([1]))
                    stream.finish()
                    for try await piece in stream.bytes { #expect(piece == Data([1])) }
                }
                try await group.waitForAll()
            }
            for (one, other) in [(anna, ben), (ben, anna)] {
                let link = try #require(one.states.link(other.local.id))
                #expect(link.inspect { $0.handles.open.isEmpty && $0.handles.ends.isEmpty })
            }
        }
    }

    /// A few wait for an answer.
    @Test func resourcesWithoutEndAreDeclined() async throws {
        let world = World(.memory)
        try await flood(world) { raw, anna in
            for number in 0..<2000 {
                let offer = ResourceNotice.Offer(name: "film", size: 1, count: 1)
                let notice = ResourceNotice(transfer: UUID(), verb: .offer(offer))
                raw.send(.record(Record(.resource, payload: try notice.encoded())))
                if number.isMultiple(of: 100) {
                    try await settle(world, raw)
                    raw.send(.credit(Credit(received: UInt64(raw.declines))))
                }
            }
            try await world.until { raw.declines == 2000 - ResourceTransfers.maximumCount }
        }
    }

    @Test func whoAcknowledgesNothingIsKeptALimitedAmount() async throws {
        let world = World(.memory)
        try await flood(world) { raw, anna in
            for number in 0..<20_000 {
                let offer = ResourceNotice.Offer(name: "film", size: 1, count: 1)
                let notice = ResourceNotice(transfer: UUID(), verb: .offer(offer))
                raw.send(.record(Record(.resource, payload: try notice.encoded())))
                if number.isMultiple(of: 1000) { try await settle(world, raw) }
            }
            try await settle(world, raw)
            let link = try #require(anna.states.link(raw.local.id))
            let limits = LinkLimits.standard
            // What was sent fills the memory for records; the rest was given up.
            #expect(link.inspect { $0.records.room } < limits.maximumKeptLength / 8)
            #expect(raw.declines <= limits.maximumKeptLength / 128)
        }
    }

    @Test func whatWaitsUnreadIsBounded() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let streams = try anna.streams()
            try await world.attackLinked(on: anna) { raw in
                // A channel with a message that waits for its reader, and 64 streams, each as full as may be.
                raw.send(.open(raw.stream(0), .messages, "main"), try .message(raw.stream(0), "chat.line", "{}"))
                let piece = ByteBuffer(repeating: 1, count: 16_384)
                for _ in 0..<63 { raw.send(.bytes(raw.stream(0), Self.message(16_384 - 20))) }
                for number in 1...64 {
                    raw.send(.open(raw.stream(number), .bytes, "s"))
                    for _ in 0..<4 { raw.send(.bytes(raw.stream(number), piece)) }
                }
                for _ in 0..<2000 {
                    let message = Message(.bytes, payload: ByteBuffer(repeating: 1, count: 1000))
                    raw.send(.droppable(DroppableMessage(channel: .main, key: "\(UUID())", message: message)))
                }
                try await settle(world, raw)
                #expect(raw.lastWord == nil)
                let held = try held(by: anna, for: raw)
                #expect(held > 4 * 1024 * 1024)
                #expect(held <= LinkLimits.standard.maximumHeldLength)
                try await world.checkThatOthersAreServed(by: anna, lines)
            }
            _ = streams
        }
    }

    /// A message of bytes on a stream.
    private static func message(_ length: Int) -> ByteBuffer {
        let message = Message(.bytes, payload: ByteBuffer(repeating: 2, count: length))
        return (try? MessageFraming.join(message, maximumPayloadLength: length)) ?? ByteBuffer()
    }
}

extension RawSession {
    /// How many resources the session has declined.
    fileprivate var declines: Int {
        side.frames.count { frame in
            guard case .record(let record) = frame, record.kind == .resource,
                case .decline? = (try? ResourceNotice(decoding: record.payload))?.verb
            else { return false }
            return true
        }
    }
}
