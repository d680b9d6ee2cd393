import Foundation
import NIOCore
import PeerCore
import PeerTestSupport
import Synchronization
import Testing

/// Connections that end at any stage, politely or torn.
@Suite(.timeLimit(.minutes(10))) struct TornConnectionTests {
    enum Stage: CaseIterable, Sendable {
        case nothing, preface, hello, handshake, invitation, selection, request
    }

    struct Case: Sendable {
        var stage: Stage
        var isTorn: Bool
    }

    static let atListener = Stage.allCases.flatMap { stage in
        [false, true].map { Case(stage: stage, isTorn: $0) }
    }

    @Test(arguments: atListener) func theSenderNoticesAndServesTheNext(row: Case) async throws {
        let pair = try Pair(encryption: .none)
        let source = try TransferTests.source(sizes: [2_000_000])
        try await pair.serving(source) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await advance(peer, to: row.stage)
                if row.isTorn { await peer.reset() }
            }
            // What was asked for may all be on its way by then.
            let codes: [PeerError.Code] =
                row.stage == .request ? [.connectionLost, .outcomeUnknown] : [.connectionLost]
            let code = peerError(await finished.next()?.result)?.code
            #expect(codes.contains { $0 == code })
            let sink = MemorySink()
            _ = try await pair.receive(from: address, into: sink)
            #expect(sink.snapshot.committed?[.mbtiles] == source.bytes(.mbtiles))
        }
    }

    private func advance(_ peer: RawPeer, to stage: Stage) async throws {
        if stage == .nothing { return }
        if stage == .preface { return await peer.send(Preface.hikeshare.bytes) }
        if stage == .hello {
            await peer.send(Preface.hikeshare.bytes)
            return try await peer.send(.hello(RawPeer.hello(role: peer.role)))
        }
        try await peer.greet()
        if stage == .handshake { return }
        let manifest = try await peer.invite()
        if stage == .invitation { return }
        try await peer.select(from: manifest)
        if stage == .selection { return }
        try await peer.send(.request(ChunkRequest(resource: 0, runs: [0..<10])))
    }

    enum Offered: CaseIterable, Sendable {
        case nothing, hello, acceptance, manifest, digests, someData, allData
    }

    static let atConnector = Offered.allCases.flatMap { stage in
        [false, true].map { (stage, $0) }
    }

    @Test(arguments: atConnector) func theReceiverNoticesAndCommitsNothing(stage: Offered, isTorn: Bool) async throws {
        let pair = try Pair(encryption: .none)
        let source = try TransferTests.source(sizes: [100_000])
        let sink = MemorySink()
        try await RawPeer.listening { peer in
            try await offer(peer, source, until: stage)
            if isTorn { await peer.reset() }
        } connect: { address in
            let result = await outcome { try await pair.receive(from: address, into: sink) }
            // What is torn at once may never have been a connection.
            let isAtOnce = stage == .nothing || (stage == .hello && isTorn)
            let codes: [PeerError.Code] = isAtOnce ? [.connectionLost, .cannotConnect] : [.connectionLost]
            #expect(codes.contains { $0 == peerError(result)?.code })
        }
        let state = sink.snapshot
        #expect(!state.isCommitted)
        #expect(state.abandoned == state.begun)
    }

    private func offer(_ peer: RawPeer, _ source: MemorySource, until stage: Offered) async throws {
        if stage == .nothing { return }
        if stage == .hello {
            await peer.send(Preface.hikeshare.bytes)
            return try await peer.send(.hello(RawPeer.hello(role: peer.role)))
        }
        try await peer.greet()
        if stage == .acceptance {
            guard try await peer.next(.invite) != nil else { throw ScriptError("no invitation") }
            return try await peer.send(.accept)
        }
        try await peer.offer(source.manifest)
        if stage == .manifest { return }
        try await peer.list(source)
        guard try await peer.next(.request) != nil else { throw ScriptError("no request") }
        if stage == .digests { return }
        let bytes = source.bytes(.mbtiles) ?? []
        await peer.sendData(0, offset: 0, bytes.prefix(stage == .someData ? 40_000 : bytes.count))
        if stage == .allData {
            guard try await peer.next(.confirmation) != nil else { throw ScriptError("no confirmation") }
        }
    }

    @Test func aConnectionThatBreaksDuringEncryptionIsLostAndNoQuestionOfTrust() async throws {
        let pair = try Pair()
        for isTorn in [false, true] {
            try await RawPeer.listening { peer in
                if isTorn { await peer.reset() }
            } connect: { address in
                let result = await outcome { try await pair.receive(from: address, into: MemorySink()) }
                let code = peerError(result)?.code
                #expect(code == .connectionLost || (isTorn && code == .cannotConnect), "\(result)")
            }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func randomBytesNeverHarmTheSender(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var pair = try Pair(encryption: .optional)
        pair.sending.lingerTimeout = .milliseconds(50)
        try await pair.serving(TransferTests.source(sizes: [10])) { address, finished in
            for round in 0..<10 {
                let bytes = generator.bytes(Int.random(in: 1...4000, using: &generator))
                try await RawPeer.connected(to: address) { peer in
                    // Every other time as frames, so that it gets past the first byte.
                    await peer.send((round.isMultiple(of: 2) ? Preface.hikeshare.bytes : []) + bytes)
                }
                #expect(peerError(await finished.next()?.result) != nil, "seed \(seed)")
            }
        }
    }
}
