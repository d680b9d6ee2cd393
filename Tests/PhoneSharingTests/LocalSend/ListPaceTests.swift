import Testing

@testable import PhoneSharing

@Suite struct ListPaceTests {
    @Test func aListIsToldFourTimesASecondAtMost() {
        let start = ContinuousClock.now
        var pace = ListPace()
        let told = (0..<1000).filter { milliseconds in
            let now = start + .milliseconds(milliseconds)
            guard pace.admits(at: now) else { return false }
            pace.told(at: now)
            return true
        }
        #expect(told == [0, 250, 500, 750])
    }
}
