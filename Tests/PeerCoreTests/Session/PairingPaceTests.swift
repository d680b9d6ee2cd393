import Testing

@testable import PeerCore

@Suite struct PairingPaceTests {
    @Test func someMayBeginAtOnceAndThenOneAtATime() {
        var pace = PairingPace(burst: 3, interval: .seconds(10))
        let start = ContinuousClock.now
        for _ in 0..<3 { #expect(pace.begin(at: start) == nil) }
        #expect(pace.begin(at: start) == .seconds(10))
        #expect(pace.begin(at: start + .seconds(4)) == .seconds(6))
        #expect(pace.begin(at: start + .seconds(10)) == nil)
        #expect(pace.begin(at: start + .seconds(10)) == .seconds(10))
    }

    @Test func itRecoversAndSavesNothingBeyondTheBurst() {
        var pace = PairingPace(burst: 2, interval: .seconds(10))
        let start = ContinuousClock.now
        for _ in 0..<2 { #expect(pace.begin(at: start) == nil) }
        let later = start + .seconds(3600)
        for _ in 0..<2 { #expect(pace.begin(at: later) == nil) }
        #expect(pace.begin(at: later) == .seconds(10))
    }

    @Test func whoeverAsksOftenGetsNoMoreThanTheRate() {
        var pace = PairingPace(burst: 8, interval: .seconds(10))
        let start = ContinuousClock.now
        let begun = (0..<60_000).count { pace.begin(at: start + .milliseconds($0)) == nil }
        #expect(begun == 8 + 5)
    }
}
