import Testing

@testable import PeerCore

@Suite struct ReceiverLaneStateMachineTests {
    private let start = ContinuousClock.now
    private let configuration = ConnectionConfiguration()

    @Test func noMoreLanesAreOpenThanThereIsRoomFor() {
        var machine = ReceiverLaneStateMachine(configuration)
        let maximum = configuration.limits.maximumLaneCount
        #expect(machine.invited(2) == 1..<3)
        #expect(machine.invited(maximum) == 3..<maximum + 1)
        #expect(machine.invited(1).count == 0)
        machine.ended(1)
        #expect(machine.invited(5) == maximum + 1..<maximum + 2)
        #expect(machine.invited(-1).count == 0)
    }

    @Test func everythingHasComeWhenAllLanesHaveEnded() {
        var machine = ReceiverLaneStateMachine(configuration)
        _ = machine.invited(2)
        #expect(machine.takeEnded() == nil)
        machine.receivedAllDispatched(4, at: start)
        #expect(machine.takeEnded() == nil)
        machine.ended(1)
        #expect(machine.takeEnded() == nil)
        machine.ended(2)
        #expect(machine.takeEnded() == 4)
        #expect(machine.takeEnded() == nil)
    }

    @Test func aLaneIsSilentOnlyAfterEverythingWasSent() {
        var machine = ReceiverLaneStateMachine(configuration)
        let silence = configuration.silenceTimeout
        _ = machine.invited(1)
        #expect(!machine.isSilent(lastReceipt: nil, at: start + silence * 9))
        machine.receivedAllDispatched(0, at: start)
        #expect(!machine.isSilent(lastReceipt: nil, at: start + silence - .milliseconds(1)))
        #expect(machine.isSilent(lastReceipt: nil, at: start + silence))
        // The time before that does not count, and bytes begin it anew.
        #expect(!machine.isSilent(lastReceipt: start - silence, at: start + silence - .milliseconds(1)))
        #expect(!machine.isSilent(lastReceipt: start + .seconds(1), at: start + silence))
        #expect(machine.isSilent(lastReceipt: start + .seconds(1), at: start + silence + .seconds(1)))
    }
}
