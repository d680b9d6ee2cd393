import Testing

@testable import PeerCore

@Suite struct FailureTests {
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
}
