import Testing

@testable import PeerCore

@Suite struct BulkPaceTests {
    /// After which of these steps the time starts anew; nil stands for a step of work.
    private static func starts(_ steps: [Int?]) -> [Bool] {
        var pace = BulkPace()
        return steps.map { pace.moved($0 ?? 0, isOwed: $0 != nil) }
    }

    @Test func aByteNowAndThenIsNoProgress() {
        let starts = Self.starts([0] + [Int](repeating: 1, count: BulkPace.leastBytes + 1))
        #expect(starts.indices.filter { starts[$0] } == [0, BulkPace.leastBytes])
    }

    @Test func everyStepOfWorkCounts() {
        #expect(Self.starts([nil, nil, 0, 1, nil, 0, 1]) == [true, true, true, false, true, true, false])
    }

    @Test func countsThatMakeNoSenseDoNotTrap() {
        #expect(Self.starts([0, 1, .max, 1]) == [true, false, true, false])
    }
}

@Suite struct UnfinishedFrameTests {
    private let start = ContinuousClock.now

    @Test func timeRunsFromTheFirstByteOfAFrame() {
        var frame = UnreadBytes.UnfinishedFrame()
        #expect(frame.since == nil)
        frame.received(1, isUnfinished: true, isNew: true, at: start)
        frame.received(1, isUnfinished: true, isNew: false, at: start + .seconds(9))
        #expect(frame.since == start)
        frame.received(1, isUnfinished: false, isNew: true, at: start + .seconds(10))
        #expect(frame.since == nil)
        frame.received(1, isUnfinished: true, isNew: false, at: start + .seconds(11))
        #expect(frame.since == start + .seconds(11))
    }

    @Test func aNewFrameHasItsOwnTime() {
        var frame = UnreadBytes.UnfinishedFrame()
        frame.received(1, isUnfinished: true, isNew: false, at: start)
        frame.received(50, isUnfinished: true, isNew: true, at: start + .seconds(5))
        #expect(frame.since == start + .seconds(5))
    }

    @Test func enoughBytesStartTheTimeAnew() {
        var frame = UnreadBytes.UnfinishedFrame()
        frame.received(1, isUnfinished: true, isNew: true, at: start)
        frame.received(BulkPace.leastBytes - 1, isUnfinished: true, isNew: false, at: start + .seconds(1))
        #expect(frame.since == start)
        frame.received(1, isUnfinished: true, isNew: false, at: start + .seconds(2))
        #expect(frame.since == start + .seconds(2))
        frame.received(1, isUnfinished: true, isNew: false, at: start + .seconds(3))
        #expect(frame.since == start + .seconds(2))
    }
}
