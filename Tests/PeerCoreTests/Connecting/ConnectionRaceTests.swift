import Testing

@testable import PeerCore

@Suite struct ConnectionRaceTests {
    private let start = ContinuousClock.now

    private func after(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    private func race(_ count: Int, timeout: Duration = .seconds(10)) -> ConnectionRace {
        ConnectionRace(count: count, timeout: timeout, now: start)
    }

    @Test func startsOneAddressAfterTheOther() {
        var race = race(3)
        #expect(race.next(at: start) == .start(0))
        #expect(race.next(at: start) == .wait(until: after(200)))
        #expect(race.next(at: after(199)) == .wait(until: after(200)))
        #expect(race.next(at: after(200)) == .start(1))
        #expect(race.next(at: after(200)) == .wait(until: after(400)))
        #expect(race.next(at: after(400)) == .start(2))
        #expect(race.next(at: after(400)) == .wait(until: after(10_000)), "nothing is left to start")
    }

    @Test func startsTheNextAddressAtOnceWhenOneFails() {
        var race = race(3)
        _ = race.next(at: start)
        race.failed(0, at: after(10))
        #expect(race.next(at: after(10)) == .start(1))
        #expect(race.next(at: after(10)) == .wait(until: after(210)))
    }

    @Test func aFailureStartsOneAddressAndNotAllOfThem() {
        var race = race(5)
        _ = race.next(at: start)
        _ = race.next(at: after(200))
        race.failed(0, at: after(210))
        race.failed(0, at: after(210))
        #expect(race.next(at: after(210)) == .start(2))
        #expect(race.next(at: after(210)) == .wait(until: after(410)))
    }

    @Test func givesUpWhenEveryAddressHasFailed() {
        var race = race(2)
        _ = race.next(at: start)
        race.failed(0, at: start)
        #expect(race.next(at: start) == .start(1))
        #expect(race.next(at: start) == .wait(until: after(10_000)))
        race.failed(1, at: after(50))
        #expect(race.next(at: after(50)) == .giveUp)
    }

    @Test func repeatsAnAttemptWhoseNetworkWasNotReady() {
        var race = race(1)
        #expect(race.next(at: start) == .start(0))
        race.failed(0, at: after(10), mayRepeat: true)
        #expect(race.next(at: after(10)) == .wait(until: after(260)))
        #expect(race.next(at: after(260)) == .start(0))
        race.failed(0, at: after(2749), mayRepeat: true)
        #expect(race.next(at: after(2749)) == .wait(until: after(2999)))
        #expect(race.next(at: after(2999)) == .start(0))
        race.failed(0, at: after(3000), mayRepeat: true)
        #expect(race.next(at: after(3000)) == .giveUp, "an interface had the time to get an address")
    }

    @Test func triesAddressesThatAreAddedBeforeThoseThatWait() {
        var race = race(3)
        #expect(race.next(at: start) == .start(0))
        race.add(2)
        #expect(race.next(at: after(200)) == .start(3))
        #expect(race.next(at: after(400)) == .start(4))
        #expect(race.next(at: after(600)) == .start(1))
    }

    @Test func givesUpWithoutAddresses() {
        var race = race(0)
        #expect(race.next(at: start) == .giveUp)
    }

    @Test func givesUpWhenTheTimeIsOverWhateverStillRuns() {
        var race = race(3, timeout: .milliseconds(300))
        _ = race.next(at: start)
        _ = race.next(at: after(200))
        #expect(race.next(at: after(250)) == .wait(until: after(300)), "the third would start at 400 ms")
        #expect(race.next(at: after(300)) == .giveUp)
    }

    /// Six addresses of a link on eleven networks each.
    @Test func startsManyAddressesWithinTheStartTime() {
        var race = race(66)
        var now = start
        var started = 0
        while started < 66 {
            switch race.next(at: now) {
            case .start(let position):
                #expect(position == started)
                started += 1
                // Half of them fail when the next ones are due.
                if started > 10 { race.failed(started - 10, at: now) }
            case .wait(let time):
                now = time
            case .giveUp:
                Issue.record("gave up after \(started)")
                return
            }
        }
        #expect(now - start <= ConnectionRace.startTime + .milliseconds(1))
    }

    @Test func boundsHowManyRunAtOnce() {
        var race = race(100)
        var now = start
        var started = 0
        while case .start = race.next(at: now) {
            started += 1
            now += .seconds(0.05)
        }
        #expect(started == ConnectionRace.maximumRunning)
        race.failed(7, at: now)
        #expect(race.next(at: now) == .start(ConnectionRace.maximumRunning))
    }
}
