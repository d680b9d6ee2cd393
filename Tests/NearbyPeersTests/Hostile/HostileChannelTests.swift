import NIOCore
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Channels of peers whose program is another one, or that break the rules.
@Suite(.timeLimit(.minutes(10))) struct HostileChannelTests {
    private func texts(_ lines: IncomingMessages<Line>, _ count: Int, _ world: World) async throws -> [String] {
        try await world.whileTimePasses {
            var iterator = lines.makeAsyncIterator()
            var texts: [String] = []
            while texts.count < count, let line = await iterator.next() { texts.append(line.message.text) }
            return texts
        }
    }

    private func line(_ stream: UInt32, _ text: String) throws -> Frame {
        try .message(stream, "chat.line", #"{"text":"\#(text)"}"#)
    }

    @Test(arguments: [1, 3]) func whatCameBeforeABreachIsRead(count: Int) async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                raw.send(.open(raw.stream(0), .messages, "main"))
                for number in 0..<count { raw.send(try line(raw.stream(0), "\(number)")) }
                raw.send(.bytes(raw.stream(7), ByteBuffer(bytes: [1])))
                try await world.until { raw.failure != nil && anna.connectedPeers.isEmpty }
                #expect(try await texts(lines, count, world) == (0..<count).map { "\($0)" })
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// The bytes that break the rules are the end of a message that has begun.
    @Test func aMessageThatEndsWithABreachIsNotRead() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                raw.send(.open(raw.stream(0), .messages, "main"), try line(raw.stream(0), "whole"))
                guard case .record(let record) = try line(raw.stream(0), "broken") else { return }
                var bytes = try StreamBytes(decoding: record.payload).bytes
                let start = bytes.readSlice(length: 10)
                let first = try #require(start)
                bytes.writeInteger(UInt32.max)
                raw.send(.bytes(raw.stream(0), first), .bytes(raw.stream(0), bytes))
                try await world.until { raw.failure != nil && anna.connectedPeers.isEmpty }
                #expect(try await texts(lines, 1, world) == ["whole"])
            }
            try await world.checkThatOthersAreServed(by: anna, lines)
        }
    }

    /// Programs of this library never finish a channel.
    @Test func aChannelMayBeFinishedAndOpenedAgain() async throws {
        let world = World(.memory)
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            try await world.attackLinked(on: anna) { raw in
                for index in 0..<5 {
                    raw.send(
                        .open(raw.stream(index), .messages, "main"),
                        try line(raw.stream(index), "\(2 * index)"),
                        try line(raw.stream(index), "\(2 * index + 1)"),
                        .end(raw.stream(index), .finished)
                    )
                }
                _ = try await world.whileTimePasses { await raw.side.connection.roundTrip() }
                #expect(try await texts(lines, 10, world) == (0..<10).map { "\($0)" })
                // A channel that is open stays as it is.
                raw.send(
                    .open(raw.stream(5), .messages, "main"),
                    .open(raw.stream(6), .messages, "main"),
                    try line(raw.stream(6), "refused"),
                    try line(raw.stream(5), "taken")
                )
                #expect(try await texts(lines, 1, world) == ["taken"])
                #expect(raw.lastWord == nil)
            }
        }
    }
}
