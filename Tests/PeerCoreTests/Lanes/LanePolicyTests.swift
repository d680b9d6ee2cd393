import Testing

@testable import PeerCore

/// What is decided when, sample by sample, without a network.
@Suite struct LanePolicyTests {
    /// A link, sampled every 250 ms.
    struct Link {
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
        var link = Link()
        let start = link.now
        #expect(link.runToLanes(1_500_000) == .invite(3))
        #expect(link.now - start <= .seconds(1))
        link.laneCount = 3
        #expect(link.run(5_000_000, for: .seconds(2)) == .invite(4))
        link.laneCount = 7
        #expect(link.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func furtherLanesThatDoNotPayAreClosed() {
        var link = Link()
        #expect(link.runToLanes(1_500_000) == .invite(3))
        link.laneCount = 3
        #expect(link.run(5_000_000, for: .seconds(2)) == .invite(4))
        link.laneCount = 7
        #expect(link.run(5_100_000, for: .seconds(2)) == .close(4))
        link.laneCount = 3
        let closed = link.now
        #expect(link.run(5_000_000, for: .seconds(60)) == .invite(4))
        #expect(link.now - closed >= .seconds(1))
    }

    @Test func lanesThatDoNotPayAreClosedAndTriedLessAndLessOften() {
        var link = Link()
        #expect(link.runToLanes(1_500_000) == .invite(3))
        var pauses: [Duration] = []
        for _ in 0..<4 {
            link.laneCount = 3
            #expect(link.run(1_500_000, for: .seconds(2)) == .close(3))
            link.laneCount = 0
            let closed = link.now
            #expect(link.run(1_500_000, for: .seconds(200)) == .invite(3))
            pauses.append(link.now - closed)
        }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 > $0 * 1.5 })
    }

    @Test func lanesThatNeverJoinDoNotPay() {
        var link = Link()
        #expect(link.runToLanes(1_500_000) == .invite(3))
        #expect(link.run(3_000_000, for: .seconds(4)) == .close(3))
    }

    @Test func theOtherControlIsKeptIfItPays() {
        var link = Link()
        #expect(link.run(1_500_000, for: .seconds(1)) == .changeControl)
        #expect(link.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func theOtherControlIsGivenUpForLanesIfItDoesNotPay() {
        var link = Link()
        #expect(link.run(1_500_000, for: .seconds(1)) == .changeControl)
        #expect(link.run(1_500_000, for: .seconds(2)) == .restoreControl)
        #expect(link.run(1_500_000, for: .seconds(2)) == .invite(3))
    }

    /// Why these: no loss; loss because the queue is full; too little left.
    @Test(arguments: [
        (retransmitted: UInt64(0), roundTrip: 11, left: UInt64(1_000_000_000)), (5, 50, 1_000_000_000),
        (5, 11, 4_000_000),
    ])
    func nothingIsTriedWhereItCannotHelp(retransmitted: UInt64, roundTrip: Int, left: UInt64) {
        var link = Link()
        link.retransmittedEach = retransmitted
        link.roundTrip = .milliseconds(roundTrip)
        link.bytesLeft = left
        #expect(link.run(1_500_000, for: .seconds(60)) == .none)
    }

    @Test func moreLanesAreNotTriedOnceTheLinkIsFull() {
        var link = Link()
        #expect(link.runToLanes(1_500_000) == .invite(3))
        link.laneCount = 3
        link.roundTrip = .milliseconds(50)
        #expect(link.run(5_800_000, for: .seconds(60)) == .none)
    }

    @Test func whatHasPaidIsWantedAtOnceForTheNextResource() {
        var link = Link()
        #expect(link.policy.began(bytes: 1_000_000_000) == .none)
        #expect(link.runToLanes(1_500_000) == .invite(3))
        link.laneCount = 3
        #expect(link.run(5_000_000, for: .seconds(2)) == .invite(4))
        #expect(link.policy.began(bytes: 1_000_000_000) == .invite(3))
        #expect(link.policy.began(bytes: 1_000_000) == .none)
    }

    @Test func aBoundIsABound() {
        var link = Link()
        link.policy = LanePolicy(maximumLaneCount: 2)
        #expect(link.runToLanes(1_500_000) == .invite(2))
        link.laneCount = 2
        #expect(link.run(5_000_000, for: .seconds(60)) == .none)
    }
}
