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

    @Test(arguments: [Finding.Code.tunnelTakesNetwork, .containersTakeNetwork, .noAddress])
    func aProblemOfTheNetworkIsAWarningIfAPeerIsReachedOtherwise(code: Finding.Code) {
        let problem = Self.finding(code, .problem)
        #expect(Weighing.weighed([problem, Self.finding(.peerReached, .ok)]).map(\.severity) == [.warning, .ok])
        #expect(Weighing.weighed([problem, PeerChecks.noPeers]).map(\.severity) == [.problem, .note])
    }

    /// The kill switch of a VPN looks like a firewall.
    @Test(arguments: [Finding.Code.multicastBlocked, .outgoingBlocked])
    func anActiveTunnelIsAWarningIfPacketsAreKeptBack(code: Finding.Code) {
        let tunnel = Self.finding(.tunnelActive, .note)
        #expect(Weighing.weighed([tunnel, Self.finding(code, .problem)]).map(\.severity) == [.warning, .problem])
    }
}
