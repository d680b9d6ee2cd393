import PeerCore
import Testing

@testable import RegionSharing

@Suite struct LastingFailureTests {
    @Test func theSameFailureIsToldOnce() {
        let full = PeerError(.discoveryUnavailable, "Full.")
        let stopped = PeerError(.discoveryUnavailable, "Stopped.")
        var failure = LastingFailure()
        let told = [full, full, stopped, full].map { failure.isNew($0) }
        #expect(told == [true, false, true, true])
        failure.end()
        let isToldAgain = failure.isNew(full)
        #expect(isToldAgain)
    }
}
