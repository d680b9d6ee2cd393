import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Transfers to a receiver that has an older version.
@Suite(.timeLimit(.minutes(10))) struct PieceTransferTests {
    enum Change: CaseIterable {
        /// All in one place.
        case valley
        /// Wherever chance has it.
        case scattered
    }

    /// An older version of bytes, in which so many pages were different.
    static func older(_ bytes: [UInt8], changing count: Int, _ change: Change) -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        let pages = Array(0..<bytes.count / 4096)
        let changed =
            switch change {
            case .valley: Array(pages[pages.count / 3..<pages.count / 3 + count])
            case .scattered: Array(pages.shuffled(using: &generator).prefix(count))
            }
        var older = bytes
        for page in changed { older[page * 4096 + Int.random(in: 0..<4096, using: &generator)] ^= 0xFF }
        return older
    }

    /// An older version of which the second of seven chunks was different.
    static func withOneByteChanged(_ bytes: [UInt8]) -> [UInt8] {
        var older = bytes
        older[20_000] ^= 1
        return older
    }

    static func sink(_ older: [UInt8]) -> MemorySink {
        let sink = MemorySink()
        sink.state.withLock {
            $0.alreadyThere[.mbtiles] = older
            $0.older[.mbtiles] = older
        }
        return sink
    }

    /// The bound is on what crosses in both directions, with TLS, handshake and all; headers of TCP and IP are left
    /// room for, which nobody can count on loopback.
    @Test(arguments: Change.allCases, [EncryptionPreference.none, .required])
    func littleMoreThanTheChangedPagesCrosses(change: Change, encryption: EncryptionPreference) async throws {
        let size = 16_000_000
        let changedCount = size / 4096 / 20
        try await FileTransferTests.withFile(size: size) { source, _ in
            let bytes = try #require(source.base.bytes(.mbtiles))
            let sink = Self.sink(Self.older(bytes, changing: changedCount, change))
            let pair = try Pair(encryption: encryption)
            try await pair.serving(source) { address, finished in
                try await CountingRelay.with(toPort: try #require(address.port)) { port, count in
                    let result = try await pair.receive(
                        from: SocketAddress(ipAddress: "127.0.0.1", port: port),
                        into: sink
                    )
                    let sent = try #require(await finished.next())
                    #expect(result.bytesTransferred == changedCount * 4096)
                    #expect(result.bytesSaved == size - changedCount * 4096)
                    #expect(sent.bytesTransferred == result.bytesTransferred)
                    #expect(sent.bytesSaved == result.bytesSaved)
                    let factor = Double(count()) / Double(changedCount * 4096)
                    #expect(factor < 1.12, "\(factor)")
                }
            }
            #expect(sink.snapshot.committed?[.mbtiles] == bytes)
        }
    }

    @Test func progressEndsAtTheWholeSizeAlthoughLittleCrosses() async throws {
        let source = try TransferTests.source(sizes: [1_000_000])
        let sink = Self.sink(Self.older(try #require(source.bytes(.mbtiles)), changing: 10, .scattered))
        let (updates, updatesIn) = TransferUpdates.makeStream()
        let (senderUpdates, senderUpdatesIn) = TransferUpdates.makeStream()
        _ = try await Pair().transfer(source, into: sink, updates: updatesIn, senderUpdates: senderUpdatesIn)
        updatesIn.finish()
        senderUpdatesIn.finish()
        for updates in [updates, senderUpdates] {
            var last: TransferProgress?
            for await update in updates {
                guard case .transfer(.transferring(let progress)) = update.event else { continue }
                #expect(progress.bytes <= progress.size)
                last = progress
            }
            #expect(last?.bytes == 1_000_000)
            #expect(last?.fraction == 1)
        }
    }

    @Test func anOlderVersionThatChangesMeanwhileCostsTheChunk() async throws {
        let source = try TransferTests.source(sizes: [1_000_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let sink = Self.sink(Self.older(bytes, changing: 3, .valley))
        // Three pages of one chunk cross; once all four are compared, the fourth is no longer what it was.
        sink.state.withLock { $0.olderReads = { reads, older in if reads == 4 { older[80 * 4096] ^= 1 } } }
        let outcome = try await Pair().transfer(source, into: sink)
        #expect(try outcome.received.get().bytesTransferred == 3 * 4096 + 16_384)
        #expect(sink.snapshot.committed?[.mbtiles] == bytes)
    }

    @Test func aSenderWithoutTheFeatureIsNotAskedForPieces() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let sink = Self.sink(Self.withOneByteChanged(bytes))
        let pair = try Pair(encryption: .none)
        try await RawPeer.listening { peer in
            var hello = RawPeer.hello()
            hello.features = []
            try await peer.greet(hello)
            try await peer.offer(source.manifest)
            try await peer.list(source)
            guard case .request(let request) = try await peer.nextFrame() else { throw ScriptError("no request") }
            #expect(request.runs == [1..<2])
            await peer.sendData(0, offset: 16_384, bytes[16_384..<32_768])
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            guard try await peer.next(.acknowledgement) != nil else { throw ScriptError("no acknowledgement") }
        } connect: { address in
            let result = try await pair.receive(from: address, into: sink)
            #expect(result.bytesTransferred == 16_384)
        }
        #expect(sink.snapshot.committed?[.mbtiles] == bytes)
    }

    @Test func digestsThatLieCostTheChunkAndNothingElse() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let older = Self.withOneByteChanged(bytes)
        let sink = Self.sink(older)
        let pair = try Pair(encryption: .none)
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            try await peer.list(source)
            guard case .pieceQuery(let query) = try await peer.next(.pieceQuery) else { throw ScriptError("no query") }
            #expect(query == PieceQuery(resource: 0, runs: [1..<2]))
            // As if the receiver had everything: no byte of a piece is requested.
            for part in try Self.list(older) { try await peer.send(.pieceList(part)) }
            guard case .request(let request) = try await peer.nextFrame() else { throw ScriptError("no request") }
            #expect(request.runs == [1..<2])
            await peer.sendData(0, offset: 16_384, bytes[16_384..<32_768])
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            guard try await peer.next(.acknowledgement) != nil else { throw ScriptError("no acknowledgement") }
        } connect: { address in
            let result = try await pair.receive(from: address, into: sink)
            #expect(result.bytesTransferred == 16_384)
        }
        #expect(sink.snapshot.committed?[.mbtiles] == bytes)
    }

    /// The list of the pages of the second chunk.
    private static func list(_ bytes: [UInt8]) throws -> [PieceListPart] {
        let layout = try #require(ChunkLayout(size: UInt64(bytes.count)))
        let chunks = try #require(layout.runs(validating: [1..<2]))
        let list = try #require(
            try PieceListBuilder.list(of: chunks, layout: layout) {
                ByteBuffer(bytes: bytes[Int($0.lowerBound)..<Int($0.upperBound)])
            }
        )
        return PieceListPart.parts(of: list.bytes, resource: 0)
    }

    @Test(arguments: ["no list", "too short a list", "other bytes", "more bytes", "bytes that do not match"])
    func aSenderThatBreaksTheRulesEndsTheTransfer(how: String) async throws {
        let source = try TransferTests.source(sizes: [100_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let older = Self.withOneByteChanged(bytes)
        let sink = Self.sink(older)
        var pair = try Pair(encryption: .none)
        pair.receiving.lingerTimeout = .milliseconds(200)
        let isLate = how == "bytes that do not match"
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            try await peer.list(source)
            guard try await peer.next(.pieceQuery) != nil else { throw ScriptError("no query") }
            for var part in try Self.list(bytes) {
                if how == "no list" { part.bytes = ByteBuffer(bytes: [1, 2, 3]) }
                if how == "too short a list" { _ = part.bytes.readSlice(length: 1) }
                try await peer.send(.pieceList(part))
            }
            if how == "other bytes" { await peer.sendData(0, offset: 20_480, bytes[20_480..<24_576]) }
            if how == "more bytes" { await peer.sendData(0, offset: 16_384, bytes[16_384..<24_576]) }
            if isLate {
                var wrong = Array(bytes[16_384..<32_768])
                wrong[0] ^= 1
                await peer.sendData(0, offset: 16_384, wrong.prefix(4096))
                guard try await peer.next(.request) != nil else { throw ScriptError("no request") }
                await peer.sendData(0, offset: 16_384, wrong)
            }
            let code = how.hasSuffix("list") ? "invalidFrame" : isLate ? "digestMismatch" : "unexpectedFrame"
            #expect(await peer.lastFailure()?.code == code)
        } connect: { [pair] address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            #expect(peerError(result)?.code == (isLate ? .verificationFailed : .protocolViolation))
        }
        #expect(!sink.snapshot.isCommitted)
        #expect(sink.snapshot.writes == 0)
        #expect(sink.snapshot.abandoned == 1)
    }
}
