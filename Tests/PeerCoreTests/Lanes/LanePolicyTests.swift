import Testing

@testable import PeerCore

/// What is decided when, sample by sample, without a network.
@Suite struct LanePolicyTests {
    /// A network, sampled every 250 ms.
    struct Path {
        var policy = LanePolicy(maximumLaneCount: 7)
        var bytesLeft: UInt64 = 1_000_000_000
        var roundTrip: Duration = .milliseconds(11)
        var retransmittedEach: UInt64 = 5
        var laneCount = 0
        private(set) var now = ContinuousClock.now
        private var acknowledged: UInt64 = 0
        private var retransmitted: UInt64 = 0

        /// Takes samples at a rate until there is something to do, at most for so long.
        mutating func run(_ bytesPerSecond: UInt64, for duration: Duration) -> LanePolicy.Action {
            let end = now + duration
            while now < end {
                let action = policy.sampled(
                    LanePolicy.Sample(
                        time: now,
                        acknowledged: acknowledged,
                        retransmitted: retransmitted,
                        roundTrip: roundTrip,
                        shortestRoundTrip: .milliseconds(10),
                        bytesLeft: bytesLeft,
                        laneCount: laneCount
                    )
                )
                now += .milliseconds(250)
                acknowledged += bytesPerSecond / 4
                retransmitted += retransmittedEach
                if action != .none { return action }
            }
            return .none
        }

        /// Goes on to where the first lanes are wanted, because the other control is not allowed.
        mutating func runToLanes(_ bytesPerSecond: UInt64) -> LanePolicy.Action {
            guard run(bytesPerSecond, for: .seconds(1)) == .changeControl else { return .none }
            return policy.controlRefused(at: now)
        }
    }

    @Test func aCollapsingStreamGetsLanesWithinASecond() {
        var path = Path()
        let start = path.now
        #expect(path.runToLanes(1_500_000) == .invite(3))
        #expect(path.now - start <= .seconds(1))
        path.laneCount = 3
        #expect(path.run(5_000_000, for: .seconds(2)) == .invite(4))
        path.laneCount = 7
        #expect(path.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func furtherLanesThatDoNotPayAreClosed() {
        var path = Path()
        #expect(path.runToLanes(1_500_000) == .invite(3))
        path.laneCount = 3
        #expect(path.run(5_000_000, for: .seconds(2)) == .invite(4))
        path.laneCount = 7
        #expect(path.run(5_100_000, for: .seconds(2)) == .retire(4))
        path.laneCount = 3
        let closed = path.now
        #expect(path.run(5_000_000, for: .seconds(60)) == .invite(4))
        #expect(path.now - closed >= .seconds(1))
    }

    @Test func lanesThatDoNotPayAreClosedAndTriedLessAndLessOften() {
        var path = Path()
        #expect(path.runToLanes(1_500_000) == .invite(3))
        var pauses: [Duration] = []
        for _ in 0..<4 {
            path.laneCount = 3
            #expect(path.run(1_500_000, for: .seconds(2)) == .retire(3))
            path.laneCount = 0
            let closed = path.now
            #expect(path.run(1_500_000, for: .seconds(200)) == .invite(3))
            pauses.append(path.now - closed)
        }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 > $0 * 1.5 })
    }

    @Test func lanesThatNeverJoinDoNotPay() {
        var path = Path()
        #expect(path.runToLanes(1_500_000) == .invite(3))
        #expect(path.run(3_000_000, for: .seconds(4)) == .retire(3))
    }

    @Test func theOtherControlIsKeptIfItPays() {
        var path = Path()
        #expect(path.run(1_500_000, for: .seconds(1)) == .changeControl)
        #expect(path.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func theOtherControlIsGivenUpForLanesIfItDoesNotPay() {
        var path = Path()
        #expect(path.run(1_500_000, for: .seconds(1)) == .changeControl)
        #expect(path.run(1_500_000, for: .seconds(2)) == .restoreControl)
        #expect(path.run(1_500_000, for: .seconds(2)) == .invite(3))
    }

    /// Why these: no loss; loss because the queue is full; too little left.
    @Test(arguments: [
        (retransmitted: UInt64(0), roundTrip: 11, left: UInt64(1_000_000_000)), (5, 50, 1_000_000_000),
        (5, 11, 4_000_000),
    ])
    func nothingIsTriedWhereItCannotHelp(retransmitted: UInt64, roundTrip: Int, left: UInt64) {
        var path = Path()
        path.retransmittedEach = retransmitted
        path.roundTrip = .milliseconds(roundTrip)
        path.bytesLeft = left
        #expect(path.run(1_500_000, for: .seconds(60)) == .none)
    }

    @Test func moreLanesAreNotTriedOnceTheLinkIsFull() {
        var path = Path()
        #expect(path.runToLanes(1_500_000) == .invite(3))
        path.laneCount = 3
        path.roundTrip = .milliseconds(50)
        #expect(path.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func whatHasPaidIsWantedAtOnceForTheNextResource() {
        var path = Path()
        #expect(path.policy.began(bytes: 1_000_000_000) == .none)
        #expect(path.runToLanes(1_500_000) == .invite(3))
        path.laneCount = 3
        #expect(path.run(5_000_000, for: .seconds(2)) == .invite(4))
        #expect(path.policy.began(bytes: 1_000_000_000) == .invite(3))
        #expect(path.policy.began(bytes: 1_000_000) == .none)
    }

    @Test func aBoundIsABound() {
        var path = Path()
        path.policy = LanePolicy(maximumLaneCount: 2)
        #expect(path.runToLanes(1_500_000) == .invite(2))
        path.laneCount = 2
        #expect(path.run(5_000_000, for: .seconds(60)) == .none)
    }
}
