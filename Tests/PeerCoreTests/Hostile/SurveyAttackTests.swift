import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// Receivers that ask before the selection for what they may not ask for.
@Suite(.timeLimit(.minutes(10))) struct SurveyAttackTests {
    typealias Case = HostileReceiverTests.Case

    private static let query = Frame.digestQuery(DigestQuery(kinds: [.mbtiles]))

    static let cases: [Case] = [
        Case("a query for lists before the offer") { peer, _ in
            try await peer.greet()
            try await peer.send(query)
        },
        Case("a pick, although there is one offer") { peer, _ in
            try await peer.greet()
            let manifest = try await peer.invite()
            try await peer.send(.pick(OfferPick(ids: [manifest.id])))
        },
        Case("a query for lists twice") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(query, query)
        },
        Case("a query for lists after the selection") { peer, _ in
            try await peer.greet()
            try await peer.select(from: peer.invite())
            try await peer.send(query)
        },
        Case("a query for a list that is not offered") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.digestQuery(DigestQuery(kinds: [.photos])))
        },
        Case("a query for the same list twice") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.digestQuery(DigestQuery(kinds: [.mbtiles, .mbtiles])))
        },
        Case("a query for pieces without one for lists") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [0..<1])))
        },
        Case("two queries for pieces at once, before the selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(
                query,
                .pieceQuery(PieceQuery(resource: 0, runs: [0..<1])),
                .pieceQuery(PieceQuery(resource: 0, runs: [1..<2]))
            )
        },
        Case("a query for the same pieces twice, before the selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(query, .pieceQuery(PieceQuery(resource: 0, runs: [0..<2])))
            guard try await peer.next(.pieceList) != nil else { throw ScriptError("no list") }
            try await peer.send(.pieceQuery(PieceQuery(resource: 0, runs: [1..<2])))
        },
        Case("a request for bytes of pieces before the selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(query, .pieceQuery(PieceQuery(resource: 0, runs: [0..<2])))
            guard try await peer.next(.pieceList) != nil else { throw ScriptError("no digests") }
            try await peer.send(.rangeRequest(RangeRequest(resource: 0, runs: [0..<1])))
        },
        Case("a request for chunks before the selection") { peer, _ in
            try await peer.greet()
            _ = try await peer.invite()
            try await peer.send(query, .request(ChunkRequest(resource: 0, runs: [0..<1])))
        },
    ]

    @Test(arguments: cases) func endsTheTransferAndServesTheNext(hostile: Case) async throws {
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

    /// The lists of a survey do not run the sender's clocks for a transfer.
    @Test func aReceiverThatAsksAndThenWaitsHasTheTimeOfAnAnswer() async throws {
        let source = try TransferTests.source(sizes: [100_000])
        var pair = try Pair(encryption: .none)
        pair.sending.workTimeout = .milliseconds(100)
        pair.sending.stallTimeout = .milliseconds(100)
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                _ = try await peer.invite()
                try await peer.send(Self.query)
                guard try await peer.next(.digests) != nil else { throw ScriptError("no digests") }
                // Any clock of the transfer would run out meanwhile.
                for nonce in 0..<10 {
                    try await peer.send(.ping(Ping(nonce: UInt32(nonce))))
                    guard try await peer.next(.pong) != nil else { throw ScriptError("the transfer has ended") }
                    try await Task.sleep(for: .milliseconds(50))
                }
                try await peer.send(.decline(Refusal(.declined, "no")))
                await peer.waitForEnd()
            }
            #expect(peerError(await finished.next()?.result)?.code == .declined)
        }
    }
}
