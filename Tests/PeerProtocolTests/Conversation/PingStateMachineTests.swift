import PeerProtocol
import Testing

@Suite struct PingStateMachineTests {
    private func greeted() -> PingStateMachine {
        var machine = PingStateMachine()
        expect(machine.helloSent(), equals: .none)
        return machine
    }

    @Test func answersAPing() {
        var machine = greeted()
        expect(machine.receivedPing(Ping(nonce: 7)), equals: .sendPong(Ping(nonce: 7)))
        expect(machine.pongWritten(), equals: .none)
        expect(machine.receivedPing(Ping(nonce: 7)), equals: .sendPong(Ping(nonce: 7)))
    }

    @Test func answersNothingBeforeTheHello() {
        var machine = PingStateMachine()
        expect(machine.receivedPing(Ping(nonce: 1)), equals: .none)
        expect(machine.helloSent(), equals: .sendPong(Ping(nonce: 1)))
        expect(machine.helloSent(), equals: .none)
    }

    @Test func isInUseFromTheHelloOfThePeerOnAndNeverOnALane() {
        var machine = PingStateMachine()
        #expect(!machine.isInUse)
        machine.helloReceived()
        #expect(machine.isInUse)
        var lane = PingStateMachine()
        expect(lane.sent(.join(LaneJoin(secret: Sample.laneSecret))), equals: .none)
        lane.helloReceived()
        #expect(!lane.isInUse)
    }

    /// Else a peer that pings and reads nothing would fill this side's memory with pongs.
    @Test func atMostOnePongIsUnderWay() {
        var machine = greeted()
        expect(machine.receivedPing(Ping(nonce: 1)), equals: .sendPong(Ping(nonce: 1)))
        for nonce in 2...100 as ClosedRange<UInt32> {
            expect(machine.receivedPing(Ping(nonce: nonce)), equals: .none)
        }
        expect(machine.pongWritten(), equals: .sendPong(Ping(nonce: 100)))
        expect(machine.pongWritten(), equals: .none)
    }

    @Test func answersNothingAfterTheLastWord() {
        var machine = greeted()
        expect(machine.receivedPing(Ping(nonce: 1)), equals: .sendPong(Ping(nonce: 1)))
        expect(machine.receivedPing(Ping(nonce: 2)), equals: .none)
        machine.lastWordSent()
        expect(machine.pongWritten(), equals: .none)
        expect(machine.receivedPing(Ping(nonce: 3)), equals: .none)
        expect(machine.helloSent(), equals: .none)
    }

    @Test func takesPongsInOrderAndLetsThePeerLeaveSomeOut() {
        var machine = greeted()
        #expect((1...4).map { _ in machine.nextPing().nonce } == [1, 2, 3, 4])
        expect(machine.receivedPong(Ping(nonce: 1)), equals: .none)
        expect(machine.receivedPong(Ping(nonce: 4)), equals: .none)
    }

    @Test(arguments: [0, 1, 2, 4, UInt32.max])
    func refusesAPongToNoPing(nonce: UInt32) {
        var machine = greeted()
        for _ in 0..<3 { _ = machine.nextPing() }
        expect(machine.receivedPong(Ping(nonce: 2)), equals: .none)
        guard case .fail(let error) = machine.receivedPong(Ping(nonce: nonce)) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .invalidFrame)
    }
}
