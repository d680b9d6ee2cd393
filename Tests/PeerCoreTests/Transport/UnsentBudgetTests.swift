import Testing

@testable import PeerCore

/// How much may wait unsent at what rate.
@Suite struct UnsentBudgetTests {
    private static let longest = BulkWriter.maximumLength

    /// Lets a link take bytes at a rate for some time, and returns the budget then.
    private static func budget(
        bytesPerSecond: Double,
        for duration: Duration = .seconds(2),
        every step: Duration = .milliseconds(10)
    ) -> UnsentBudget {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: longest, acknowledged: 7, at: start)
        var elapsed: Duration = .zero
        while elapsed < duration {
            elapsed += step
            budget.counted(7 + UInt64(bytesPerSecond * (elapsed / .seconds(1))), at: start + elapsed)
        }
        return budget
    }

    /// What waits in all: two pieces, and what the kernel holds.
    private static func waiting(_ budget: UnsentBudget) -> Int { 2 * budget.nextLength + budget.unsentLength }

    @Test(arguments: [0.5, 1, 2, 5, 50, 200, 1000, 20_000]) func whatWaitsIsSentInAQuarterOfASecond(megabits: Double) {
        let bytesPerSecond = megabits * 125_000
        let budget = Self.budget(bytesPerSecond: bytesPerSecond)
        #expect(Double(Self.waiting(budget)) <= 0.25 * bytesPerSecond)
        // Not so little that the link would wait for us, either.
        #expect(Double(Self.waiting(budget)) >= min(0.12 * bytesPerSecond, Double(2 * Self.longest)))
    }

    @Test func littleWaitsBeforeAnythingIsKnown() {
        let budget = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: .now)
        #expect(Self.waiting(budget) == 32 * 1024)
    }

    /// What is taken at once says nothing: it may all be in a queue on the way.
    @Test func whatIsOnlyTakenDoesNotCount() {
        let budget = Self.budget(bytesPerSecond: 0, for: .milliseconds(240))
        #expect(Self.waiting(budget) == 32 * 1024)
    }

    /// A short burst of a slow network, as many queues let pass, is no more than what it is.
    @Test func aBurstCountsAsItsBytes() {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: start)
        budget.counted(40_000, at: start + .milliseconds(1))
        #expect(Self.waiting(budget) <= 40_000)
    }

    @Test func aFastLinkGetsTheLongestPiecesAfterFewSteps() {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: start)
        var (arrived, pieces): (UInt64, Int) = (0, 0)
        while budget.nextLength < Self.longest, pieces < 1000 {
            pieces += 1
            arrived += UInt64(budget.nextLength)
            budget.counted(arrived, at: start + .microseconds(100 * pieces))
        }
        #expect(pieces < 40)
        #expect(budget.unsentLength == UnsentBudget.maximumUnsentLength)
    }

    @Test func aLinkThatHasBecomeSlowLosesItsBudget() {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: start)
        var arrived: UInt64 = 0
        for step in 1...400 {
            arrived += step <= 200 ? 250_000 : 1250
            budget.counted(arrived, at: start + .milliseconds(10 * step))
            if step == 200 { #expect(budget.nextLength == Self.longest) }
        }
        #expect(Self.waiting(budget) <= 31_250)
    }

    /// A count that comes late is spread over the time in which it came about.
    @Test func aLongWaitIsNotTakenForSpeed() {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: start)
        budget.counted(1_250_000, at: start + .seconds(10))
        #expect(Self.waiting(budget) <= 31_250)
    }

    @Test func aLinkThatStandsStillKeepsTheLeast() {
        let budget = Self.budget(bytesPerSecond: 0)
        #expect(Self.waiting(budget) == 8 * 1024)
    }

    @Test func countsThatMakeNoSenseDoNotTrap() {
        let start = ContinuousClock.now
        var budget = UnsentBudget(longestLength: 1, acknowledged: .max, at: start)
        budget.counted(0, at: start)
        budget.counted(.max, at: start - .seconds(1))
        budget.counted(3, at: start + .seconds(5))
        #expect(budget.nextLength == 1)
        #expect(budget.unsentLength >= 4096)
    }

    @Test func aFastLinkIsLookedAtNowAndThen() {
        let start = ContinuousClock.now
        let slow = UnsentBudget(longestLength: Self.longest, acknowledged: 0, at: start)
        #expect(slow.isDue(at: start))
        var fast = UnsentBudget(longestLength: 4096, acknowledged: 0, at: start)
        fast.counted(1 << 30, at: start)
        #expect(!fast.isDue(at: start))
        #expect(fast.isDue(at: start + .milliseconds(50)))
    }
}
