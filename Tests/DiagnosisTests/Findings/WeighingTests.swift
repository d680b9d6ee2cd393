import Testing

@testable import Diagnosis

@Suite struct WeighingTests {
    private static func finding(_ code: Finding.Code, _ severity: Finding.Severity) -> Finding {
        Finding(code, .network, severity, "")
    }

    @Test func repeatsNothing() {
        let tunnel = Self.finding(.tunnelTakesNetwork, .problem)
        #expect(Weighing.weighed([tunnel, tunnel]) == [tunnel])
    }

    @Test func anActiveTunnelIsAWarningIfNoPeerIsFound() {
        let tunnel = Self.finding(.tunnelActive, .note)
        #expect(Weighing.weighed([tunnel]).map(\.severity) == [.note])
        #expect(Weighing.weighed([tunnel, Self.finding(.peerReached, .ok)]).map(\.severity) == [.note, .ok])
        #expect(Weighing.weighed([tunnel, PeerChecks.noPeers]).map(\.severity) == [.warning, .note])
    }

    @Test func aTunnelInTheWayIsAWarningIfAPeerIsReachedOtherwise() {
        let tunnel = Self.finding(.tunnelTakesNetwork, .problem)
        #expect(Weighing.weighed([tunnel, Self.finding(.peerReached, .ok)]).map(\.severity) == [.warning, .ok])
    }
}
