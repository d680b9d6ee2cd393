import LocalSend
import Testing

@testable import PhoneSharing

@Suite struct AnnouncementPlanTests {
    /// Returns the seconds at which announcements are made.
    private func times(_ plan: inout AnnouncementPlan, from first: Int, to last: Int, isWatched: Bool) -> [Int] {
        (first...last).filter { plan.isDue(at: start + .seconds($0), isWatched: isWatched) }
    }

    private let start = ContinuousClock.now

    @Test func repeatsABeginning() {
        var plan = AnnouncementPlan()
        plan.begin(at: start)
        #expect(times(&plan, from: 0, to: 20, isWatched: true) == [0, 1, 3])
        plan.begin(at: start + .seconds(21))
        #expect(times(&plan, from: 21, to: 40, isWatched: true) == [21, 22, 24])
    }

    /// Whoever begins a search again and again, or is in and out of a network, does not flood it.
    @Test func neverAnnouncesTwiceInASecond() {
        var plan = AnnouncementPlan()
        let times = (0..<100).map { start + .milliseconds(100 * $0) }
        let count = times.count { time in
            plan.begin(at: time)
            return plan.isDue(at: time, isWatched: true)
        }
        #expect(count == 10)
    }

    @Test func asksAgainAndAgainWhileSomebodyLooks() {
        var plan = AnnouncementPlan()
        #expect(times(&plan, from: 0, to: 90, isWatched: true) == [0, 30, 60, 90])
        #expect(times(&plan, from: 91, to: 389, isWatched: false) == [])
        #expect(times(&plan, from: 390, to: 390, isWatched: false) == [390])
    }
}
