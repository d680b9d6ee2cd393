import Foundation
import NIOCore
import PeerCore
import Testing

/// Receivers that do not keep to the rules, on a real socket, against a sender.
@Suite(.timeLimit(.minutes(10))) struct HostileReceiverTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What the sender's transfer ends with.
        var code: PeerError.Code
        /// The failure that the peer is told; nil for none.
        var failure: String?
        var script: @Sendable (RawPeer, MemorySource) async throws -> Void

        init(
            _ name: String,
            _ code: PeerError.Code = .protocolViolation,
            tells failure: String? = "unexpectedFrame",
            _ script: @escaping @Sendable (RawPeer, MemorySource) async throws -> Void
        ) {
            self.testDescription = name
            self.code = code
            self.failure = failure
            self.script = script
        }
    }

    static let beforeHandshake: [Case] = [
        Case("HTTP GET", tells: nil) { peer, _ in await peer.send("GET / HTTP/1.1\r\n\r\n".utf8) },
        Case("HTTP HEAD, which begins like the preface", tells: "notHikeshare") { peer, _ in
            await peer.send("HEAD / HTTP/1.1\r\n\r\n".utf8)
        },
        Case("random bytes", tells: nil) { peer, _ in await peer.send([0xA7, 0x00, 0xFF, 0x13, 0x99]) },
        Case("TLS garbage", .notTrusted, tells: nil) { peer, _ in
            await peer.send([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0xDE, 0xAD, 0xBE, 0xEF])
        },
        Case("a second hello") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello()), .hello(RawPeer.hello()))
        },
        Case("an invitation before the handshake") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.invite(InvitationRequest(timeout: 300)))
        },
        Case("data before the handshake") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendData(0, offset: 0, [1, 2, 3])
        },
        Case("only newer versions", .unsupportedVersion, tells: "unsupportedVersion") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello(versions: [ProtocolVersion(2), ProtocolVersion(9)])))
        },
        Case("only older versions", .unsupportedVersion, tells: "unsupportedVersion") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello(versions: [ProtocolVersion(0)])))
        },
        Case("no versions at all", .unsupportedVersion, tells: "unsupportedVersion") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello(versions: [])))
        },
        Case("a frame that is too long for its type", tells: "limitExceeded") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendFrame(type: 0x01, length: .max)
        },
        Case("a frame of a type that must be known", tells: "invalidFrame") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendFrame(type: 0x7F)
        },
        Case("a frame with flags", tells: "invalidFrame") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendFrame(type: 0x02, flags: 1)
        },
        Case("a hello that is no JSON", tells: "invalidFrame") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendFrame(type: 0x01, payload: Array("{\"versions\":".utf8))
        },
        Case("a pong that answers nothing", tells: "invalidFrame") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello()))
            try await peer.send(.pong(Ping(nonce: 1_000_000)))
        },
        Case("a ping before the hello") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.ping(Ping(nonce: 1)))
        },
    ]

    static let afterHandshake: [Case] = [
        Case("a hello after the handshake") { peer, _ in
            try await peer.greet()
            try await peer.send(.hello(RawPeer.hello()))
        },
        Case("selection before an invitation") { peer, source in
            try await peer.greet()
            try await peer.send(.selection(ResourceSelection(kinds: [.mbtiles])))
        },
        Case("two invitations") { peer, _ in
            try await peer.greet()
            try await peer.send(.invite(InvitationRequest(timeout: 300)), .invite(InvitationRequest(timeout: 300)))
        },
        Case("data, which only a sender sends") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            await peer.sendData(0, offset: 0, [1, 2, 3])
        },
        Case("a manifest, which only a sender sends") { peer, source in
            try await peer.greet()
            try await peer.send(.manifest(source.manifest.body))
        },
        Case("selection for what is not offered") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.selection(ResourceSelection(kinds: [.waypoints])))
        },
        Case("the same wish twice") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.selection(ResourceSelection(kinds: [.mbtiles, .mbtiles])))
        },
        Case("a request before selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<1])))
        },
        Case("a request for chunks that do not exist") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<65_536])))
        },
        Case("a request that ends too late", tells: "invalidFrame") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            await peer.sendFrame(type: FrameType.request.rawValue, payload: [0, 0, 0, 0, 0x80, 0])
        },
        Case("a request for a resource that does not exist") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.request(ChunkRequest(resource: 4_000_000_000, runs: [])))
        },
        Case("the same request twice") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            let request = ChunkRequest(resource: 0, runs: [0..<1])
            try await peer.send(.request(request), .request(request))
        },
        Case("a query for pieces before selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<1])))
        },
        Case("a query for pieces without the feature") { peer, _ in
            var hello = RawPeer.hello()
            hello.features = []
            try await peer.greet(hello)
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<1])))
        },
        Case("a request for bytes of pieces without the feature") { peer, _ in
            var hello = RawPeer.hello()
            hello.features = []
            try await peer.greet(hello)
            try await peer.select(from: peer.invite())
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [0..<1])))
        },
        Case("a query for pieces of chunks that do not exist") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<4_000_000_000])))
        },
        Case("a query for no pieces at all") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [])))
        },
        Case("two queries at once") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(
                .pieceQuery(PieceQuery(resource: 0, runs: [0..<1])),
                .pieceQuery(PieceQuery(resource: 0, runs: [1..<2]))
            )
        },
        Case("a query for pieces that were listed already") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<2])))
            guard try await peer.next(.pieceList) != nil else { throw ScriptError("no list") }
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [1..<2])))
        },
        Case("a request for no bytes at all") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [])))
        },
        Case("a request for bytes behind the end") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<2])))
            guard try await peer.next(.pieceList) != nil else { throw ScriptError("no list") }
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [99_999..<100_001])))
        },
        Case("a request for the last byte there can be") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [UInt64.max - 1..<UInt64.max])))
        },
        Case("the same request for bytes twice") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<2])))
            guard try await peer.next(.pieceList) != nil else { throw ScriptError("no list") }
            let request = RangeRequest(resource: 0, runs: [16_384..<20_480])
            try await peer.send(.rangeRequest(request), .rangeRequest(request))
        },
        Case("a request for bytes, again and again") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            for _ in 0..<1000 { try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [0..<100_000]))) }
        },
        Case("a request for single bytes that lie side by side") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            let runs = (0..<UInt64(2048)).map { $0 * 8..<$0 * 8 + 1 }
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: runs)))
        },
        Case("a request for bytes after the request for chunks") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(
                .request(ChunkRequest(resource: 0, runs: [0..<1])),
                .rangeRequest(RangeRequest(resource: 0, runs: [16_384..<20_480]))
            )
        },
        Case("a request for chunks in the middle of a query") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(
                .pieceQuery(PieceQuery(resource: 0, runs: [1..<2])),
                .request(ChunkRequest(resource: 0, runs: [1..<2]))
            )
        },
        Case("a query after the request for chunks") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(
                .request(ChunkRequest(resource: 0, runs: [0..<1])),
                .pieceQuery(PieceQuery(resource: 0, runs: [1..<2]))
            )
        },
        Case("a list of pieces, which only a sender sends") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.pieceList(PieceListPart(resource: 0, rest: 0, bytes: ByteBuffer(bytes: [0]))))
        },
        Case("a confirmation of what was not requested") { peer, source in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            let entry = source.manifest.entries[0]
            try await peer.send(.confirmation(Confirmation(resource: 0, digest: entry.digest)))
        },
        Case("a confirmation of another digest") { peer, source in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(
                .request(ChunkRequest(resource: 0, runs: [0..<1])),
                .confirmation(Confirmation(resource: 0, digest: ContentDigest(hashing: [9])))
            )
        },
        Case("an acknowledgement before the end") { peer, source in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.acknowledgement(acknowledgement(source)))
        },
        Case("an acknowledgement without confirmations") { peer, source in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.request(ChunkRequest(resource: 0, runs: [])))
            guard try await peer.next(.done) != nil else { throw ScriptError("no done") }
            try await peer.send(.acknowledgement(acknowledgement(source)))
        },
        Case("a refusal in the middle of the transfer") { peer, source in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(.decline(Refusal(.declined, "no")))
        },
    ]

    private static func acknowledgement(_ source: MemorySource) -> Acknowledgement {
        Acknowledgement(id: source.manifest.id, time: Date(timeIntervalSince1970: 0), imported: [:], keptLocal: [:])
    }

    @Test(arguments: beforeHandshake + afterHandshake)
    func endsTheTransferSaysWhyAndServesTheNext(hostile: Case) async throws {
        let source = try TransferTests.source(sizes: [100_000])
        var pair = try Pair(encryption: .optional)
        pair.sending.lingerTimeout = .milliseconds(200)
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await hostile.script(peer, source)
                #expect(await peer.lastFailure()?.code == hostile.failure)
            }
            #expect(peerError(await finished.next()?.result)?.code == hostile.code)

            let sink = MemorySink()
            _ = try await pair.receive(from: address, into: sink)
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        }
    }
}

/// The answer of a person who must not be asked at all.
func nobodyIsAsked(sourceLocation: SourceLocation = #_sourceLocation) -> InvitationAnswer {
    Issue.record("somebody was asked", sourceLocation: sourceLocation)
    return .decline(Refusal(.declined, "no"))
}
