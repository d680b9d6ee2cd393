import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// Senders that do not keep to the rules, on a real socket, against a receiver.
@Suite(.timeLimit(.minutes(10))) struct HostileSenderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What the receiver throws.
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

    static let beforeOffer: [Case] = [
        Case("an HTTP answer", tells: nil) { peer, _ in
            await peer.send("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        },
        Case("random bytes", tells: nil) { peer, _ in await peer.send([0x00, 0x01, 0xFE, 0x55]) },
        Case("an SSH greeting", tells: nil) { peer, _ in await peer.send("SSH-2.0-OpenSSH_9.2\r\n".utf8) },
        Case("only newer versions", .unsupportedVersion, tells: "unsupportedVersion") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.hello(RawPeer.hello(versions: [ProtocolVersion(2)], role: .listener)))
        },
        Case("a frame that is too long for its type", tells: "limitExceeded") { peer, _ in
            await peer.send(Preface.hikeshare.bytes)
            await peer.sendFrame(type: 0x20, length: 2_000_000_000)
        },
        Case("a manifest before the handshake") { peer, source in
            await peer.send(Preface.hikeshare.bytes)
            try await peer.send(.manifest(source.manifest.body))
        },
        Case("an invitation, which only a receiver sends") { peer, _ in
            try await peer.greet()
            try await peer.send(.invite(InvitationRequest(timeout: 300)))
        },
        Case("a manifest without acceptance") { peer, source in
            try await peer.greet()
            try await peer.send(.manifest(source.manifest.body))
        },
        Case("two acceptances") { peer, _ in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.accept, .accept)
        },
        Case("data before selection") { peer, source in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.accept)
            await peer.sendData(0, offset: 0, [UInt8](repeating: 7, count: 16_384))
        },
        Case("a manifest that is no JSON", tells: "invalidManifest") { peer, source in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(.accept, .manifest(Data("[]".utf8)))
        },
        Case("a manifest with a resource of any size", tells: "limitExceeded") { peer, source in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            try await peer.send(
                .accept,
                .manifest(altered(source, "\"size\":100000", "\"size\":18446744073709551615"))
            )
        },
        Case("a manifest with the same kind twice", tells: "invalidManifest") { peer, source in
            try await peer.greet()
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            let text = String(decoding: source.manifest.body, as: UTF8.self)
            let list = text.components(separatedBy: "\"resources\":[")[1].components(separatedBy: "]")[0]
            try await peer.send(
                .accept,
                .manifest(altered(source, "\"resources\":[", "\"resources\":[\(list),"))
            )
        },
    ]

    static let afterOffer: [Case] = [
        Case("the manifest twice") { peer, source in
            try await peer.greet()
            try await peer.offer(source.manifest)
            try await peer.send(.manifest(source.manifest.body))
        },
        Case("a list of other digests", .verificationFailed, tells: "digestMismatch") { peer, source in
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            var digests = try source.chunkDigests(of: source.manifest.entries[0])
            digests[3] = ContentDigest(hashing: [1])
            try await peer.send(.digests(DigestListPart(resource: 0, digests: digests)))
        },
        Case("a list that is too short") { peer, source in
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            try await peer.send(.digests(DigestListPart(resource: 0, digests: [])))
        },
        Case("a list for a resource that does not exist") { peer, source in
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            try await peer.send(.digests(DigestListPart(resource: 4_000_000_000, digests: [])))
        },
        Case("the same list twice") { peer, source in
            try await peer.offerAndList(source)
            let digests = try source.chunkDigests(of: source.manifest.entries[0])
            try await peer.send(.digests(DigestListPart(resource: 0, digests: digests)))
        },
        Case("data before the list") { peer, source in
            try await peer.greet()
            try await peer.offer(source.manifest)
            guard try await peer.next(.selection) != nil else { throw ScriptError("no selection") }
            await peer.sendData(0, offset: 0, bytes(source).prefix(16_384))
        },
        Case("data at a wrong offset") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: 16_384, bytes(source).prefix(16_384))
        },
        Case("data at an offset near the largest number") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: .max - 5, bytes(source).prefix(16_384))
        },
        Case("data of another resource") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(1, offset: 0, bytes(source).prefix(16_384))
        },
        Case("data beyond the end") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: 0, bytes(source) + [0])
        },
        Case("the end before the data") { peer, source in
            try await peer.offerAndList(source)
            try await peer.send(.done(Completion(id: source.manifest.id)))
        },
        Case("an acknowledgement in place of the end") { peer, source in
            try await peer.offerAndList(source)
            try await peer.send(
                .acknowledgement(
                    Acknowledgement(
                        id: source.manifest.id,
                        time: Date(timeIntervalSince1970: 0),
                        imported: [:],
                        keptLocal: [:]
                    )
                )
            )
        },
        Case("a refusal after acceptance") { peer, source in
            try await peer.offerAndList(source)
            try await peer.send(.decline(Refusal(.declined, "no")))
        },
    ]

    /// What need not verify to be written: whole chunks that match are kept, and only they.
    static let afterData: [Case] = [
        Case("the same data twice") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: 0, bytes(source))
            await peer.sendData(0, offset: 0, bytes(source).prefix(10))
        },
        Case("the end of another transfer") { peer, source in
            try await peer.offerAndList(source)
            await peer.sendData(0, offset: 0, bytes(source))
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: UUID())))
        },
    ]

    private static func bytes(_ source: MemorySource) -> [UInt8] { source.bytes(.mbtiles) ?? [] }

    private static func altered(_ source: MemorySource, _ text: String, _ other: String) -> Data {
        let before = String(decoding: source.manifest.body, as: UTF8.self)
        let after = before.replacingOccurrences(of: text, with: other)
        if after == before { Issue.record("there is no \(text) in the manifest") }
        return Data(after.utf8)
    }

    private static func run(_ hostile: Case) async throws -> MemorySink.State {
        let source = try TransferTests.source(sizes: [100_000])
        var pair = try Pair(encryption: .none)
        pair.receiving.lingerTimeout = .milliseconds(200)
        let sink = MemorySink()
        try await RawPeer.listening { peer in
            try await hostile.script(peer, source)
            #expect(await peer.lastFailure()?.code == hostile.failure)
        } connect: { [pair] address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            #expect(peerError(result)?.code == hostile.code)
        }
        let state = sink.snapshot
        #expect(!state.isCommitted)
        #expect(state.abandoned == state.begun)
        return state
    }

    @Test(arguments: beforeOffer) func endsBeforeAnybodyIsAsked(hostile: Case) async throws {
        let sink = try await Self.run(hostile)
        #expect(sink.examined == 0)
        #expect(sink.begun == 0)
    }

    @Test(arguments: afterOffer) func endsAndKeepsNothing(hostile: Case) async throws {
        let sink = try await Self.run(hostile)
        #expect(sink.writes == 0)
    }

    @Test func aChunkWithAFlippedBitIsNotKept() async throws {
        let hostile = Case("a flipped bit", .verificationFailed, tells: "digestMismatch") { peer, source in
            try await peer.offerAndList(source)
            var bytes = Self.bytes(source)
            bytes[5] ^= 0x10
            await peer.sendData(0, offset: 0, bytes)
        }
        let sink = try await Self.run(hostile)
        // Other chunks may be there already: two threads verify.
        #expect(sink.arriving[.mbtiles]?.prefix(16_384).allSatisfy { $0 == 0 } == true)
    }

    @Test(arguments: afterData) func endsAndCommitsNothing(hostile: Case) async throws {
        let sink = try await Self.run(hostile)
        #expect(sink.begun == 1)
    }

    @Test func aFailureOfTheSenderIsToldInItsWords() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let pair = try Pair(encryption: .none)
        try await RawPeer.listening { peer in
            try await peer.offerAndList(source)
            try await peer.send(
                .failure(Failure(code: "somethingNew", message: "The disk is on fire.", remedy: "Run."))
            )
            await peer.waitForEnd()
        } connect: { address in
            let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
            let error = peerError(result)
            #expect(error?.code == .peerFailed)
            #expect(error?.message.contains("The disk is on fire.") == true)
            #expect(error?.remedy == "Run.")
        }
    }

    @Test func crumbsOfDataDoNotKeepWholeReadBuffersAlive() async throws {
        let source = try TransferTests.source(sizes: [16_384])
        let pair = try Pair(encryption: .none)
        let sink = MemorySink()
        let pieces = Locked(0)
        try await RawPeer.listening { peer in
            try await peer.offerAndList(source)
            var header = ByteBuffer()
            FrameEncoder(preface: .hikeshare).writeDataHeader(
                DataHeader(resource: 0, offset: 0, length: 16_384),
                into: &header
            )
            await peer.send(header.readableBytesView)
            let bytes = source.bytes(.mbtiles) ?? []
            for start in stride(from: 0, to: bytes.count, by: 8) { await peer.send(bytes[start..<start + 8]) }
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            await peer.waitForEnd()
        } connect: { address in
            sink.state.withLock { $0.onBuffers = { buffers in pieces.set(buffers.count) } }
            _ = try await pair.receive(from: address, into: sink)
        }
        #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        // What the kernel has joined to more than a crumb stays a piece of its own, with crumbs before and after it.
        #expect((1...9).contains(pieces.value))
    }
}
