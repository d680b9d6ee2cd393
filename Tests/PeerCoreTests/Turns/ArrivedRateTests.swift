import Testing

@testable import PeerCore

@Suite struct ArrivedRateTests {
    /// The buffers of the system take a megabyte at once, and the network carries 64 kbit/s.
    @Test func theRateThatIsToldIsThatOfWhatArrives() {
        let start = ContinuousClock.now
        var turns = TurnStateMachine()
        let number = turns.joined(on: "wlan0", left: 3_000_000, at: start)
        turns[number]?.set(number, isReady: true, at: start)
        turns[number]?.sent(1_000_000, to: number, left: 2_000_000)
        for second in 1...10 {
            turns[number]?.arrived(8000)
            turns[number]?.sent(8000, to: number, left: 2_000_000)
            turns.tick(at: start + .seconds(second))
        }
        func rate() -> Double? { turns.prospect(on: "wlan0", left: 2_400_000, systemRate: 1e8).bytesPerSecond }
        #expect(rate().map { abs($0 - 8000) < 1 } == true, "\(rate() ?? 0)")
        turns.left(number, at: start + .seconds(10))
        #expect(rate().map { abs($0 - 8000) < 1 } == true, "the next receiver gets the same")
        #expect(turns.prospect(on: "eth0", left: 1, systemRate: 1e8).bytesPerSecond == 1e8)
    }
}
