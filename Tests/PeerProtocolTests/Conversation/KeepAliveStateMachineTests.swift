import PeerProtocol
import Testing

@Suite struct KeepAliveStateMachineTests {
    static let start = ContinuousClock.now

    private func machine() -> KeepAliveStateMachine {
        KeepAliveStateMachine(interval: .seconds(2), silence: .seconds(6), start: Self.start)
    }

    /// Seconds of the tick and of the last receipt after the start, and the seconds of the next tick; nil if lost.
    @Test(
        arguments: [
            (0, nil, 2), (2, nil, 4), (4, nil, 6), (5, nil, 6), (6, nil, nil), (7, nil, nil), (6, 1, 7), (6, 6, 8),
            (7, 1, nil),
            (100, 95, 101), (100, 94, nil), (100, 100, 102),
        ] as [(Int, Int?, Int?)]
    )
    func onlyReceiptKeepsAPeerAlive(now: Int, receipt: Int?, next: Int?) {
        var machine = machine()
        let action = machine.tick(
            at: Self.start + .seconds(now),
            lastReceipt: receipt.map { Self.start + .seconds($0) }
        )
        #expect(action == (next.map { .send(nextTick: Self.start + .seconds($0)) } ?? .lost))
    }

    @Test func aReceiptThatIsOlderThanTheLastChangesNothing() {
        var machine = machine()
        _ = machine.tick(at: Self.start + .seconds(5), lastReceipt: Self.start + .seconds(5))
        let action = machine.tick(at: Self.start + .seconds(10), lastReceipt: Self.start + .seconds(1))
        #expect(action == .send(nextTick: Self.start + .seconds(11)))
        expect(machine.tick(at: Self.start + .seconds(11), lastReceipt: nil), equals: .lost)
    }
}
