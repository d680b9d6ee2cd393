import FoundationEssentials
import NIOCore
import NearbyPeers
import PeerCore
import PeerTestSupport
import PeerTesting
import Testing

/// Each of these attacks ends the link of the attacker, who is told, and nothing else.
@Suite(.timeLimit(.minutes(10))) struct HostileLinkTests {
    /// Frames that a peer must not send on a link.
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: @Sendable (RawSession) throws -> [Frame]

        init(_ description: String, _ frames: @escaping @Sendable (RawSession) throws -> [Frame]) {
            testDescription = description
            self.frames = frames
        }
    }

    static let attacks = [
        Attack("more bytes than credit") { raw in
            let piece = ByteBuffer(repeating: 7, count: 16_000)
            return [.open(raw.stream(0), .bytes, "flood")]
                + Array(repeating: .bytes(raw.stream(0), piece), count: 5)
        },
        Attack("more messages than credit") { raw in
            let lines = try (0..<80).map { _ in
                try Frame.message(raw.stream(1), "position", String(repeating: " ", count: 16_000))
            }
            // The first message waits for its reader, and everything else with it.
            return [.open(raw.stream(1), .messages, "unread")] + lines
        },
        Attack("a message of 4 GiB") { raw in
            [.open(raw.stream(0), .messages, "main"), .bytes(raw.stream(0), ByteBuffer(integer: UInt32.max))]
        },
        Attack("a message that is one byte too long") { raw in
            [
                .open(raw.stream(0), .messages, "main"),
                .bytes(raw.stream(0), ByteBuffer(integer: UInt32(1024 * 1024 + 68 + 1))),
            ]
        },
        Attack("a message shorter than its header") { raw in
            [.open(raw.stream(0), .messages, "main"), .bytes(raw.stream(0), ByteBuffer(integer: UInt32(3)))]
        },
        Attack("a message of no known form") { raw in
            [
                .open(raw.stream(0), .messages, "main"),
                .bytes(raw.stream(0), ByteBuffer(bytes: [0, 0, 0, 4, 9, 0, 0, 0])),
            ]
        },
        Attack("a stream with the number of the other side") { raw in [.open(raw.stream(0) ^ 3, .bytes, "a")] },
        Attack("stream 0") { _ in [.open(0, .bytes, "a")] },
        Attack("a number that does not rise") { raw in
            [.open(raw.stream(1), .bytes, "a"), .open(raw.stream(0), .bytes, "b")]
        },
        Attack("a number twice") { raw in
            [.open(raw.stream(0), .bytes, "a"), .open(raw.stream(0), .bytes, "a")]
        },
        Attack("a channel with a name that is not allowed") { raw in [.open(raw.stream(0), .messages, "../x")] },
        Attack("an opening that cannot be read") { _ in [.record(Record(.open, payload: ByteBuffer(bytes: [1])))] },
        Attack("the end of a stream that was never open") { raw in [.end(raw.stream(7), .finished)] },
        Attack("the end of a stream of the other side") { raw in [.end(raw.stream(7) ^ 3, .cancelled)] },
        Attack("two ends") { raw in
            [.open(raw.stream(0), .bytes, "a"), .end(raw.stream(0), .finished), .end(raw.stream(0), .finished)]
        },
        Attack("an end in the middle of a message") { raw in
            [
                .open(raw.stream(0), .messages, "main"),
                .bytes(raw.stream(0), ByteBuffer(bytes: [0, 0])),
                .end(raw.stream(0), .finished),
            ]
        },
        Attack("bytes of a stream that was never open") { raw in
            [.bytes(raw.stream(3), ByteBuffer(bytes: [1]))]
        },
        Attack("bytes after the end") { raw in
            [
                .open(raw.stream(0), .bytes, "a"), .end(raw.stream(0), .finished),
                .bytes(raw.stream(0), ByteBuffer(bytes: [1])),
            ]
        },
        Attack("credit for a stream that was never open") { raw in
            [.credit(Credit(received: 0, limits: [Credit.Limit(stream: raw.stream(9) ^ 3, limit: .max)]))]
        },
        Attack("an acknowledgement of records that were not sent") { _ in [.credit(Credit(received: 1000))] },
        Attack("an acknowledgement of as many as there can be") { _ in [.credit(Credit(received: .max))] },
        Attack("two requests with one number") { raw in
            let request = try Frame.request(raw.stream(0), 2, "greeting", #"{"name":"m"}"#)
            return [.open(raw.stream(0), .requests, ""), request, request]
        },
        Attack("an answer that nobody has asked for") { raw in
            [.open(raw.stream(0), .requests, ""), .entry(raw.stream(0), .answer(2, payload: ByteBuffer(string: "1")))]
        },
        Attack("the withdrawal of a request that was never sent") { raw in
            [.open(raw.stream(0), .requests, ""), .entry(raw.stream(0), .withdrawal(2))]
        },
        Attack("a request of 4 GiB") { raw in
            [
                .open(raw.stream(0), .requests, ""), .open(raw.stream(1), .longRequests, ""),
                .bytes(raw.stream(1), ByteBuffer(bytes: [255, 255, 255, 255])),
            ]
        },
        Attack("an end of a stream of requests") { raw in
            [.open(raw.stream(0), .requests, ""), .end(raw.stream(0), .finished)]
        },
        Attack("a resource notice that is no JSON") { _ in
            [.record(Record(.resource, payload: ByteBuffer(string: "{")))]
        },
        Attack("a resource notice that is nested deeply") { _ in
            let text = String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000)
            return [.record(Record(.resource, payload: ByteBuffer(string: text)))]
        },
        Attack("link twice") { raw in [raw.terms()] },
        Attack("an invitation on a link") { raw in [raw.invitation(wish: 2)] },
        Attack("accept on a link") { _ in [.accept] },
        Attack("hello twice") { raw in [.hello(raw.local)] },
        Attack("a pairing frame on a link") { _ in [.pairingConfirmation] },
        Attack("a frame of a transfer") { _ in [.done(Completion(id: UUID()))] },
    ]

    @Test(arguments: attacks) func itEndsTheLinkOfTheAttackerOnly(_ attack: Attack) async throws {
        try await check(attack, in: World(.memory))
    }

    private static let telling = ["more bytes than credit", "a message of 4 GiB", "link twice"]

    @Test(arguments: attacks.filter { telling.contains($0.testDescription) })
    func theSameWithTLS(_ attack: Attack) async throws {
        try await check(attack, in: World(.loopback))
    }

    private func check(_ attack: Attack, in world: World) async throws {
        try await world.session("anna") { anna in
            let lines = try anna.messages(of: Line.self)
            let streams = try anna.streams()
            let unread = try anna.messages(of: Position.self, on: MessageChannel(validating: "unread"))
            let id = try await world.attackLinked(on: anna) { raw in
                raw.send(try attack.frames(raw))
                try await world.until { raw.failure != nil }
                return raw.local.id
            }
            try await world.until {
                if case .disconnected(.failed)? = anna.peer(id)?.state { true } else { false }
            }
            #expect(anna.connectedPeers.isEmpty)
            try await world.checkThatOthersAreServed(by: anna, lines)
            _ = (streams, unread)
        }
    }
}
