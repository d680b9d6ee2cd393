import Testing

@testable import NearbyPeers

@Suite struct HandlerPaceTests {
    @Test func quickHandlersRunAtOnce() {
        var pace = HandlerPace()
        for _ in 0..<1000 {
            let runsAtOnce = pace.runsAtOnce()
            #expect(runsAtOnce)
            pace.ran(for: HandlerPace.quickTime)
        }
    }

    @Test func afterASlowOneOthersGetTasksOfTheirOwnForAWhile() {
        var pace = HandlerPace()
        _ = pace.runsAtOnce()
        pace.ran(for: HandlerPace.quickTime + .nanoseconds(1))
        let answers = (0...HandlerPace.pause).map { _ in pace.runsAtOnce() }
        #expect(answers == Array(repeating: false, count: HandlerPace.pause) + [true])
    }
}
