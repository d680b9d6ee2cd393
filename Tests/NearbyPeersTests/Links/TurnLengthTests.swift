import Testing

@testable import NearbyPeers

/// Turns are long on fast links only.
@Suite struct TurnLengthTests {
    private let fast = Duration.microseconds(400)

    private func fastLink() -> TurnLength {
        var length = TurnLength()
        for _ in 0..<TurnLength.fastCount { length.accepted(TurnLength.shortest, in: fast) }
        return length
    }

    @Test func turnsAreLongOnceManyInARowWereFast() {
        var length = TurnLength()
        for _ in 1..<TurnLength.fastCount {
            length.accepted(TurnLength.shortest, in: fast)
            #expect(length.next == TurnLength.shortest)
        }
        length.accepted(TurnLength.shortest, in: fast)
        #expect(length.next == TurnLength.longest)
        // A long turn may take as much longer.
        length.accepted(TurnLength.longest, in: fast * 4)
        #expect(length.next == TurnLength.longest)
    }

    @Test(arguments: [(65_536, 600), (262_144, 2100), (100, 10), (0, 0)])
    func oneTurnThatWasSlowOrTellsNothingMakesThemShort(length: Int, microseconds: Int) {
        var turn = fastLink()
        turn.accepted(length, in: .microseconds(microseconds))
        #expect(turn.next == TurnLength.shortest)
    }

    @Test func whatASlowLinkTakesAtOnceDoesNotCount() {
        var length = TurnLength()
        // 5 Mbit/s, and buffers for half a megabyte.
        for number in 0..<100 {
            length.accepted(TurnLength.shortest, in: number % 9 == 8 ? .milliseconds(105) : .zero)
            #expect(length.next == TurnLength.shortest)
        }
    }
}
