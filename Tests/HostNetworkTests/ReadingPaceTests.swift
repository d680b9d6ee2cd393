import HostNetwork
import Testing

@Suite struct ReadingPaceTests {
    @Test func rests() {
        var pace = ReadingPace(maximumPerSecond: 12)
        let start = ContinuousClock.now
        #expect(pace.read(at: start) == nil)
        #expect(pace.read(at: start + .milliseconds(50)) == nil)
        #expect(pace.read(at: start + .milliseconds(100)) == .milliseconds(150))
        #expect(pace.read(at: start + .milliseconds(110)) == .milliseconds(140))
        #expect(pace.read(at: start + .milliseconds(250)) == nil, "a new time begins")
    }

    /// What is rare is never held up.
    @Test func aQuietNetworkIsRead() {
        var pace = ReadingPace(maximumPerSecond: 12)
        let start = ContinuousClock.now
        for number in 0..<100 { #expect(pace.read(at: start + .milliseconds(300 * number)) == nil) }
    }
}
