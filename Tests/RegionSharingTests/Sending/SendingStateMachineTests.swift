import Testing

@testable import HikeShareCommands

/// When a sender ends by itself.
@Suite struct ServingEndTests {
    private let start = ContinuousClock.now

    @Test func aSenderWithoutALimitGoesOn() {
        var end = ServingEnd()
        for seconds in [0, 1, 86_400, 10_000_000] {
            #expect(end.reason(openCount: 0, hasReader: true, at: start + .seconds(seconds)) == nil)
        }
    }

    @Test func theTimeBeginsAnewAfterATransfer() {
        var end = ServingEnd(patience: .seconds(60))
        func reason(_ openCount: Int, _ seconds: Double) -> ServingEnd.Reason? {
            end.reason(openCount: openCount, hasReader: true, at: start + .seconds(seconds))
        }
        #expect(reason(0, 0) == nil)
        #expect(reason(0, 59.9) == nil)
        #expect(reason(1, 60) == nil)
        #expect(reason(1, 1000) == nil)
        #expect(reason(0, 1001) == nil)
        #expect(reason(0, 1060.9) == nil)
        #expect(reason(0, 1061) == .idle(.seconds(60)))
    }

    @Test func aTransferIsNotStoppedForAReader() {
        var end = ServingEnd()
        #expect(end.reason(openCount: 1, hasReader: false, at: start) == nil)
        #expect(end.reason(openCount: 0, hasReader: false, at: start + .seconds(1)) == .unread)
    }
}
