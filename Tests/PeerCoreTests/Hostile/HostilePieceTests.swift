import NIOCore
import PeerCore
import PeerTestSupport
import Testing

/// Senders whose lists of pieces have no end, or have everything in them.
@Suite(.timeLimit(.minutes(10))) struct HostilePieceTests {
    /// Begins a transfer of which the second chunk is to be compared, and answers the query for its pieces.
    private func receive(
        from pair: Pair,
        answering: @escaping @Sendable (RawPeer, MemorySource) async throws -> Void
    ) async throws -> (result: Result<TransferReceiver.Result, any Error>, isCommitted: Bool) {
        let source = try TransferTests.source(sizes: [100_000])
        let bytes = try #require(source.bytes(.mbtiles))
        let sink = PieceTransferTests.sink(PieceTransferTests.withOneByteChanged(bytes))
        let result = try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            try await peer.list(source)
            guard try await peer.next(.pieceQuery) != nil else { throw ScriptError("no query") }
            try await answering(peer, source)
        } connect: { address in
            await outcome { try await pair.receive(from: address, into: sink) }
        }
        return (result, sink.snapshot.isCommitted)
    }

    /// A megabyte follows, as the first part says, and then there are only signs of life.
    @Test func aListThatDoesNotGoOnIsGivenUp() async throws {
        let ended = try await receive(from: try SilentPeerTests.pair(\.stallTimeout)) { peer, _ in
            let bytes = ByteBuffer(repeating: 0, count: PieceListPart.maximumLength)
            try await peer.send(.pieceList(PieceListPart(resource: 0, rest: 1_000_000, bytes: bytes)))
            try await peer.onlyStayAlive()
            #expect(await peer.lastFailure()?.code == "timedOut")
        }
        #expect(peerError(ended.result)?.code == .timedOut)
        #expect(!ended.isCommitted)
    }

    /// Bytes that belong to no piece are in the list, and were not here.
    @Test func aListThatHasAllBytesCountsAsTransferred() async throws {
        let ended = try await receive(from: try Pair(encryption: .none)) { peer, source in
            let bytes = try #require(source.bytes(.mbtiles))
            let layout = try #require(ChunkLayout(size: UInt64(bytes.count)))
            let chunks = try #require(layout.runs(validating: [1..<2]))
            let list = try #require(
                try PieceListBuilder.list(of: chunks, layout: layout, spans: { _ in [] }) {
                    ByteBuffer(bytes: bytes[Int($0.lowerBound)..<Int($0.upperBound)])
                }
            )
            for part in PieceListPart.parts(of: list.bytes, resource: 0) { try await peer.send(.pieceList(part)) }
            guard case .request(let request) = try await peer.nextFrame() else { throw ScriptError("no request") }
            #expect(request.runs.isEmpty)
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
            try await peer.send(.done(Completion(id: source.manifest.id)))
            guard try await peer.next(.acknowledgement) != nil else { throw ScriptError("no acknowledgement") }
        }
        let result = try ended.result.get()
        // The bytes are random, so they do not become fewer by compression.
        #expect((16_384...16_500).contains(result.bytesTransferred))
        #expect(result.bytesSaved == 100_000 - result.bytesTransferred)
        #expect(ended.isCommitted)
    }
}
