import PeerTestSupport
import Testing

@testable import PeerCore

@Suite(.timeLimit(.minutes(10))) struct SendingTurnsTests {
    private let turns = SendingTurns()

    private func join(_ left: UInt64) -> SendingTurn {
        let turn = turns.join(on: "wlan0", left: left)
        turn.set(isReady: true)
        return turn
    }

    /// Takes the little that one that waits may have at once.
    private func spend(_ turn: SendingTurn) {
        while turn.take(NetworkTurns.waitingLength) {}
    }

    @Test func theOneThatWaitsGoesOnWhenTheFirstLeaves() async {
        let (first, second) = (join(1000), join(1_000_000))
        #expect(first.isServed)
        #expect(!second.isServed)
        spend(second)
        async let permission = second.wait(100)
        first.leave()
        #expect(await permission)
        #expect(second.isServed)
        #expect(second.place == TransferTurn(place: 1, count: 1))
    }

    /// At first, only buffers are filled, which is far faster than the network.
    @Test func timesAreSaidWhenTheNetworkWasMeasured() {
        let begin = ContinuousClock.now
        var turns = NetworkTurns(at: begin)
        turns.joined(1, left: 10_000_000, at: begin)
        turns.set(1, isReady: true, at: begin)
        for step in 1...8 {
            turns.sent(250_000, to: 1, left: UInt64(10_000_000 - step * 250_000))
            turns.tick(at: begin + .milliseconds(250 * step))
            #expect((turns.turn(of: 1)?.timeLeft != nil) == (step == 8), "\(step)")
        }
        #expect(turns.turn(of: 1)?.timeLeft.map { ($0 / .seconds(1)).rounded() } == 8)
    }

    @Test func theOneThatWaitsGoesOnWhenTheFirstHasWorkOfItsOwn() async {
        let (first, second) = (join(1000), join(1_000_000))
        spend(second)
        async let permission = second.wait(100)
        first.set(isReady: false)
        #expect(await permission)
        first.set(isReady: true)
        #expect(first.isServed)
    }

    @Test func whoLeavesDoesNotWait() async {
        let (first, second) = (join(1000), join(1_000_000))
        spend(second)
        async let permission = second.wait(100)
        second.leave()
        #expect(await !permission)
        #expect(second.place == nil)
        #expect(first.place?.count == 1)
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let (first, second) = (join(1000), join(1_000_000))
        spend(second)
        let task = Task { await second.wait(100) }
        task.cancel()
        #expect(await !task.value)
        first.leave()
    }

    @Test func timeGivesALittle() async throws {
        let (first, second) = (join(1000), join(1_000_000))
        spend(second)
        let ticking = Task {
            while !Task.isCancelled {
                turns.tick()
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        #expect(await second.wait(100))
        ticking.cancel()
        #expect(first.isServed)
    }

    /// A piece may be cut while a receiver is served, and sent when it waits.
    @Test func aLongPieceKeepsNobodyWaitingForMinutes() {
        let begin = ContinuousClock.now
        var machine = TurnStateMachine()
        let numbers = [1000, 1_000_000, 2_000_000].map { left in
            let number = machine.joined(on: "wlan0", left: UInt64(left), at: begin)
            machine[number]?.set(number, isReady: true, at: begin)
            return number
        }
        let last = numbers[2]
        let isTaken = machine[last]?.take(1_000_000, for: last)
        #expect(isTaken == true)
        #expect(machine[last]?.mayTake(last) == false)
        machine.tick(at: begin + .seconds(3))
        #expect(machine[last]?.served.contains(last) == false)
        #expect(machine[last]?.mayTake(last) == true)
    }

    @Test func aProspectSaysHowLongItTakes() {
        #expect(turns.prospect(on: "none", left: 1000) == TransferTurn(place: 1, count: 1))
        let first = join(1000)
        #expect(turns.prospect(on: "wlan0", left: 2000).place == 2)
        #expect(turns.prospect(on: "wlan0", left: 2000).count == 2)
        first.leave()
    }
}
