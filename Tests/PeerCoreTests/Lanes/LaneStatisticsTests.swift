import Testing

@testable import PeerCore

@Suite struct LaneStatisticsTests {
    private func counts(_ acknowledged: UInt32, _ retransmitted: UInt32) -> SocketTuning.Statistics {
        var info = SIMD64<UInt32>(repeating: 0)
        info[25] = retransmitted
        info[30] = acknowledged
        return SocketTuning.Statistics(info)
    }

    @Test func allConnectionsAreCountedTogether() {
        var statistics = LanePolicy.Statistics()
        statistics.count(counts(1000, 2), on: 0)
        // What was sent before anybody looked says nothing of the rate.
        #expect(statistics.acknowledged == 0)
        #expect(statistics.retransmitted == 2)
        statistics.count(counts(1500, 3), on: 0)
        statistics.count(counts(100, 0), on: 1)
        statistics.count(counts(400, 1), on: 1)
        #expect(statistics.acknowledged == 800)
        #expect(statistics.retransmitted == 4)
    }

    @Test func countsThatGoBackTakeNothingAway() {
        var statistics = LanePolicy.Statistics()
        statistics.count(counts(1000, 2), on: 0)
        statistics.count(counts(1500, 4), on: 0)
        statistics.count(counts(10, 1), on: 0)
        #expect(statistics.acknowledged == 500)
        #expect(statistics.retransmitted == 4)
    }

    @Test func aNumberThatIsUsedAgainBeginsAnew() {
        var statistics = LanePolicy.Statistics()
        statistics.count(counts(1000, 0), on: 1)
        statistics.forget(1)
        statistics.count(counts(5000, 0), on: 1)
        #expect(statistics.acknowledged == 0)
    }
}
