import Testing

@testable import PeerCore

@Suite struct StallStateMachineTests {
    private let start = ContinuousClock.now

    private func machine() -> StallStateMachine {
        StallStateMachine(stallTimeout: .seconds(10), silenceTimeout: .seconds(6), at: start)
    }

    @Test func anUnfinishedFrameEndsTheConnectionInTime() {
        var machine = machine()
        expect(machine.tick(at: start + .seconds(100), unfinishedSince: nil), equals: false)
        let since = start + .seconds(100)
        expect(machine.tick(at: since + .milliseconds(9999), unfinishedSince: since), equals: false)
        expect(machine.tick(at: since + .seconds(10), unfinishedSince: since), equals: true)
    }

    @Test func aPeerMayWaitForThisSide() {
        var machine = machine()
        machine.received()
        expect(machine.tick(at: start + .seconds(50), unfinishedSince: start), equals: false)
        machine.handled(at: start + .seconds(60))
        expect(machine.tick(at: start + .seconds(69), unfinishedSince: start), equals: false)
        expect(machine.tick(at: start + .seconds(70), unfinishedSince: start), equals: true)
    }
}

/// What a peer does not read.
extension StallStateMachineTests {
    private func expectTick(
        _ machine: inout StallStateMachine,
        at time: Duration,
        arrived: UInt64?,
        _ isStalled: Bool
    ) {
        expect(machine.tick(at: start + time, unfinishedSince: nil, arrived: arrived), equals: isStalled)
    }

    @Test func aPeerThatReadsNothingIsCutOff() {
        var machine = machine()
        machine.writes(at: start)
        expectTick(&machine, at: .seconds(1), arrived: 500, false)
        machine.writes(at: start + .seconds(2))
        expectTick(&machine, at: .milliseconds(6999), arrived: 500, false)
        expectTick(&machine, at: .seconds(7), arrived: 500, true)
    }

    @Test func aPeerThatReadsSlowlyIsNot() {
        var machine = machine()
        machine.writes(at: start)
        for second in 1...100 { expectTick(&machine, at: .seconds(second), arrived: UInt64(second / 5), false) }
        // Nothing waits.
        machine.written(at: start + .seconds(101))
        expectTick(&machine, at: .seconds(500), arrived: nil, false)
        machine.writes(at: start + .seconds(600))
        machine.writes(at: start + .seconds(600))
        machine.written(at: start + .seconds(603))
        expectTick(&machine, at: .milliseconds(608_900), arrived: nil, false)
    }

    @Test func aSystemThatDoesNotCountIsGivenMoreTime() {
        var machine = machine()
        machine.writes(at: start)
        expectTick(&machine, at: .milliseconds(9999), arrived: nil, false)
        expectTick(&machine, at: .seconds(10), arrived: nil, true)
    }

    @Test func oneSignOfLifeWaitsAtATime() {
        var machine = machine()
        let first = [machine.keepAliveIsDue(), machine.keepAliveIsDue(), machine.keepAliveIsDue()]
        #expect(first == [true, false, false])
        machine.keepAliveWritten()
        let isDue = machine.keepAliveIsDue()
        #expect(isDue)
    }
}
