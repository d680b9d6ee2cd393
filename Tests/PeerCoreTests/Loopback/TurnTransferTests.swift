import Foundation
import PeerCore
import PeerTestSupport
import Testing

/// Receivers that are served in turn, and what they are told.
@Suite(.timeLimit(.minutes(10))) struct TurnTransferTests {
    /// The places that a side was told.
    private actor Told {
        var turns: [TransferTurn] = []

        func follow(_ updates: TransferUpdates) async {
            for await update in updates {
                if case .transfer(.queued(let turn)) = update.event { turns.append(turn) }
            }
        }
    }

    private static func source(_ size: Int) throws -> MemorySource {
        try MemorySource([(.mbtiles, [UInt8](repeating: 0x5A, count: size))])
    }

    /// A sink on a disk so slow that its transfer takes a second at least.
    private static func slowSink(entered: @escaping @Sendable () -> Void = {}) -> MemorySink {
        let sink = MemorySink()
        sink.state.withLock {
            $0.beforeWrite = { _ in
                entered()
                usleep(25_000)
            }
        }
        return sink
    }

    @Test(arguments: [EncryptionPreference.none, .required])
    func receiversOfOneNetworkAreToldTheirPlaces(encryption: EncryptionPreference) async throws {
        let size = 40_000_000
        let source = try Self.source(size)
        let pair = try Pair(encryption: encryption)
        let (updates, continuation) = TransferUpdates.makeStream()
        let (senderUpdates, senderContinuation) = TransferUpdates.makeStream()
        let (told, senderTold) = (Told(), Told())
        let (begun, entered) = AsyncStream.makeStream(of: Void.self)
        try await pair.serving(source, updates: senderContinuation) { address, finished in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await told.follow(updates) }
                group.addTask { await senderTold.follow(senderUpdates) }
                let first = Self.slowSink { entered.yield() }
                let second = Self.slowSink()
                group.addTask { _ = try await pair.receive(from: address, into: first, updates: continuation) }
                for await _ in begun { break }
                _ = try await pair.receive(from: address, into: second)
                for _ in 0..<2 { await #expect(throws: Never.self) { try await finished.next()?.result.get() } }
                for sink in [first, second] { #expect(sink.snapshot.committed?[.mbtiles]?.count == size) }
                continuation.finish()
                senderContinuation.finish()
                try await group.waitForAll()
            }
        }
        // The first one is told only once the second is there.
        #expect(await told.turns.first?.count == 2)
        #expect(await senderTold.turns.contains { $0.count == 2 })
    }

    @Test func aReceiverThatIsAloneIsToldNothing() async throws {
        let pair = try Pair()
        let (updates, continuation) = TransferUpdates.makeStream()
        let told = Told()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await told.follow(updates) }
            let outcome = try await pair.transfer(Self.source(3_000_000), into: MemorySink(), updates: continuation)
            #expect(throws: Never.self) { try outcome.received.get() }
            continuation.finish()
            try await group.waitForAll()
        }
        #expect(await told.turns.isEmpty)
    }

    @Test func manyReceiversAtOnceGetEverything() async throws {
        let source = try Self.source(5_000_000)
        // A sender lets only few strangers at one address ask at the same time.
        let known = try {
            var pair = try Pair()
            pair.shareToken = .random()
            return pair
        }()
        try await known.serving(source) { address, finished in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let sink = MemorySink()
                        _ = try await known.receive(
                            from: address,
                            expecting: known.senderIdentity.id,
                            token: known.shareToken,
                            into: sink
                        )
                        #expect(sink.snapshot.committed?[.mbtiles]?.count == 5_000_000)
                    }
                }
                for _ in 0..<4 { await #expect(throws: Never.self) { try await finished.next()?.result.get() } }
                try await group.waitForAll()
            }
        }
    }
}
