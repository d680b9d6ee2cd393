import PeerCore
import PeerTestSupport
import Testing

/// Every transfer has one end, which is reported once, and then that the connection is gone.
@Suite(.timeLimit(.minutes(10))) struct LastStepTests {
    /// How a transfer ended, and that it is disconnected, each time that it was reported.
    private static func ends(_ updates: TransferUpdates) async -> [String] {
        var ends: [String] = []
        for await update in updates {
            switch update.event {
            case .transfer(.completed): ends.append("completed")
            case .transfer(.cancelled): ends.append("cancelled")
            case .transfer(.failed(let error)): ends.append("failed: \(error.code)")
            case .connection(.disconnected): ends.append("disconnected")
            case .transfer, .connection: break
            }
        }
        return ends
    }

    enum End: CaseIterable, Sendable {
        case completion, refusal, error, cancellation
    }

    @Test(arguments: End.allCases) func bothSidesReportTheEndOnce(end: End) async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let (senderUpdates, senderContinuation) = TransferUpdates.makeStream()
        let control = TransferControl()
        let sink = MemorySink()
        if end == .error {
            sink.state.withLock { $0.failsFinish = MemoryStoreError(reportToPeer: "The disk is full.") }
        }
        _ = try await Pair().transfer(
            TransferTests.source(sizes: [1000]),
            into: sink,
            receiverControl: control,
            updates: continuation,
            senderUpdates: senderContinuation
        ) { offer in
            if end == .refusal { return .decline(Refusal(.declined, "no")) }
            if end == .cancellation {
                control.cancel(reason: "enough")
                await untilCancelled()
            }
            return .accept(offer.kinds)
        }
        continuation.finish()
        senderContinuation.finish()
        let (here, there) = (await Self.ends(updates), await Self.ends(senderUpdates))
        let expected =
            switch end {
            case .completion: (here: "completed", there: "completed")
            case .refusal: (here: "failed: declined", there: "failed: declined")
            case .error: (here: "failed: localStorage", there: "failed: peerFailed")
            case .cancellation: (here: "cancelled", there: "cancelled")
            }
        #expect(here == [expected.here, "disconnected"])
        #expect(there == [expected.there, "disconnected"])
    }

    @Test func aSenderReportsThatItsReceiverIsLost() async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let pair = try Pair(encryption: .none)
        try await pair.serving(TransferTests.source(sizes: [1000]), updates: continuation) { address, finished in
            try await RawPeer.connected(to: address) { peer in
                try await peer.greet()
                try await peer.select(from: peer.invite())
            }
            #expect(peerError(await finished.next()?.result)?.code == .connectionLost)
        }
        continuation.finish()
        #expect(await Self.ends(updates) == ["failed: connectionLost", "disconnected"])
    }

    @Test func aReceiverReportsThatItsSenderIsLost() async throws {
        let (updates, continuation) = TransferUpdates.makeStream()
        let pair = try Pair(encryption: .none)
        let source = try TransferTests.source(sizes: [1000])
        try await RawPeer.listening {
            try await $0.offerAndList(source)
        } connect: { address in
            let result = await outcome {
                try await pair.receive(from: address, into: MemorySink(), updates: continuation)
            }
            #expect(peerError(result)?.code == .connectionLost)
        }
        continuation.finish()
        #expect(await Self.ends(updates) == ["failed: connectionLost", "disconnected"])
    }
}
