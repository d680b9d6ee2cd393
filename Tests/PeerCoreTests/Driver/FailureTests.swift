import PeerTestSupport
import Testing

@testable import PeerCore

@Suite struct FailureTests {
    /// A peer whose deadline has passed has decided nothing.
    @Test func whatWasTooSlowForThePeerCanBeTriedAgain() {
        let late = PeerError(Failure(code: "timedOut", message: "Late."))
        #expect(late.code == .timedOut)
        #expect(RetryPolicy.maximumAttempts(after: late, wasDiscovered: false, hasAgreed: true, 3) == 3)
        #expect(PeerError(Failure(code: "failed", message: "No.")).code == .peerFailed)
    }

    /// The codes that cross the wire are those of the wire format's table.
    @Test(arguments: [
        (PeerError(.localStorage, "Full.") as any Error, "localStorage"), (PeerError(.timedOut, "Late."), "timedOut"),
        (PeerError(.peerFailed, "No."), "failed"), (PeerError(.connectionLost, "No."), "failed"),
        (MemoryStoreError(reportToPeer: "No."), "failed"),
        (MemoryStoreError(reportToPeer: "Full.", isOfStorage: true), "localStorage"), (CancellationError(), "failed"),
    ])
    func aFailureCrossesWithACodeOfTheTable(error: any Error, code: String) {
        #expect(Failure(reporting: error).code == code)
    }

    enum Trouble: CaseIterable {
        case look
        case decision
        case beginning
    }

    /// What is here and how much room there is stays here until somebody has agreed.
    @Test(arguments: Trouble.allCases) func anOfferThatCannotBeTakenIsRefusedWithoutDetails(
        trouble: Trouble
    ) async throws {
        let error = MemoryStoreError(reportToPeer: "3 MB are free.", isOfStorage: true)
        let (pair, sink) = (try Pair(encryption: .none), MemorySink())
        sink.state.withLock { state in
            switch trouble {
            case .look: state.refusesExamination = error
            case .beginning: state.failsBegin = error
            case .decision: break
            }
        }
        let source = try TransferTests.source(sizes: [10])
        try await RawPeer.listening { peer in
            try await peer.greet()
            try await peer.offer(source.manifest)
            let failure = await peer.lastFailure()
            #expect(failure?.code == (trouble == .beginning ? "localStorage" : "cannotTake"))
            #expect(failure?.message.contains("3 MB") == (trouble == .beginning))
        } connect: { address in
            let result = await outcome {
                try await pair.receive(from: address, into: sink) {
                    if trouble == .decision { throw error }
                    return .accept($0.kinds)
                }
            }
            // What the application throws when it decides is thrown as it is; an error of its sink is the cause of ours.
            if trouble == .decision {
                #expect(throws: error) { try result.get() }
            } else {
                #expect(peerError(result)?.code == .localStorage)
                #expect(peerError(result)?.cause as? MemoryStoreError == error)
            }
        }
    }
}
