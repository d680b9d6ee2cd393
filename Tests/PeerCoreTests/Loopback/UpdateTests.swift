import PeerCore
import PeerTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct UpdateTests {
    struct Told: Equatable {
        var steps: [String] = []
        var progress: [TransferProgress] = []

        init(_ updates: TransferUpdates) async {
            for await update in updates {
                switch update.event {
                case .connection(let state): add("\(state)")
                case .transfer(.queued): add("queued")
                case .transfer(.transferring(let progress)):
                    add("transferring")
                    self.progress.append(progress)
                case .transfer(.waitingForPeer): add("waitingForPeer")
                case .transfer(.pairing): add("pairing")
                case .transfer(.comparing): add("comparing")
                case .transfer(.connected): add("offered")
                case .transfer(.committing): add("committing")
                case .transfer(.completed): add("completed")
                case .transfer(.failed(let error)): add("failed \(error.code)")
                case .transfer(.cancelled): add("cancelled")
                case .transfer(.idle): add("idle")
                }
            }
        }

        private mutating func add(_ step: String) {
            if steps.last != step { steps.append(step) }
        }
    }

    private func told(
        _ source: MemorySource,
        _ sink: MemorySink,
        decide: @escaping @Sendable (TransferOffer) async throws -> OfferAnswer = { .accept($0.kinds) }
    ) async throws -> (receiver: Told, sender: Told) {
        let (updates, continuation) = TransferUpdates.makeStream()
        let (senderUpdates, senderContinuation) = TransferUpdates.makeStream()
        _ = try await Pair().transfer(
            source,
            into: sink,
            updates: continuation,
            senderUpdates: senderContinuation,
            decide: decide
        )
        continuation.finish()
        senderContinuation.finish()
        return (await Told(updates), await Told(senderUpdates))
    }

    @Test func theStepsComeInOrder() async throws {
        let told = try await told(TransferTests.source(sizes: [1_000_000, 10]), MemorySink())
        #expect(
            told.receiver.steps == [
                "connecting", "securing", "handshaking", "connected", "waitingForPeer", "pairing", "offered",
                "transferring",
                "committing", "completed", "disconnected",
            ]
        )
        #expect(
            told.sender.steps == [
                "handshaking", "connected", "waitingForPeer", "pairing", "offered", "transferring", "committing",
                "completed",
                "disconnected",
            ]
        )
    }

    @Test func progressOnlyRisesAndEndsAtTheWhole() async throws {
        let told = try await told(TransferTests.source(sizes: [9_000_000, 10, 70_000]), MemorySink())
        for progress in [told.receiver.progress, told.sender.progress] {
            #expect(progress.allSatisfy { $0.size == 9_070_010 })
            #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.bytes <= $1.bytes })
            let last = try #require(progress.last)
            #expect(last.bytes == 9_070_010)
            #expect(last.fraction == 1)
            #expect(last.kind == .savedroutes)
            #expect(last.resourceBytes == 70_000)
        }
    }

    @Test func progressIsWholeIfNothingNeedsToCross() async throws {
        let source = try TransferTests.source(sizes: [50_000])
        let sink = MemorySink()
        sink.state.withLock { $0.alreadyThere[.mbtiles] = source.bytes(.mbtiles) }
        let told = try await told(source, sink)
        #expect(told.receiver.progress.last?.fraction == 1)
        #expect(told.sender.progress.last?.fraction == 1)
    }

    @Test func aRefusalIsTheLastStep() async throws {
        let told = try await told(TransferTests.source(sizes: [1]), MemorySink()) { _ in
            .decline(Refusal(.declined, "no"))
        }
        #expect(told.receiver.steps.suffix(2) == ["failed declined", "disconnected"])
        #expect(told.sender.steps.suffix(2) == ["failed declined", "disconnected"])
    }

    @Test func aReaderThatFallsBehindLosesOnlyTheOldest() async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let pair = try Pair()
        try await pair.serving(TransferTests.source(sizes: [1])) { address, _ in
            for _ in 0..<40 {
                _ = try await pair.receive(from: address, into: MemorySink(), updates: continuation)
            }
        }
        continuation.finish()
        var count = 0
        var last: TransferUpdate?
        for await update in updates {
            count += 1
            last = update
        }
        #expect(count == 256)
        guard case .connection(.disconnected) = last?.event else {
            Issue.record("the last update is lost")
            return
        }
    }
}
