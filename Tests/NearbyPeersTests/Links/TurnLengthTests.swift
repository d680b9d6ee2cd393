import Testing

@testable import NearbyPeers

/// Turns are long on fast links only.
@Suite struct TurnLengthTests {
    /// A link on which one turn follows the other.
    private struct Link {
        var length = TurnLength()
        var now = ContinuousClock.now

        init(fastTurns count: Int = 0) {
            for _ in 0..<count { accept(TurnLength.shortest, in: .microseconds(400)) }
        }

        mutating func accept(_ bytes: Int, in time: Duration, after pause: Duration = .microseconds(20)) {
            let start = now + pause
            now = start + time
            length.accepted(bytes, from: start, to: now)
        }
    }

    @Test func turnsAreLongOnceManyInARowWereFast() {
        var link = Link(fastTurns: TurnLength.fastCount - 1)
        #expect(link.length.next == TurnLength.shortest)
        link.accept(TurnLength.shortest, in: .microseconds(400))
        #expect(link.length.next == TurnLength.longest)
        // A long turn may take as much longer.
        link.accept(TurnLength.longest, in: .microseconds(1600))
        #expect(link.length.next == TurnLength.longest)
    }

    @Test(arguments: [(65_536, 600, 20), (262_144, 2100, 20), (40_000, 10, 20), (0, 0, 20), (65_536, 10, 1100)])
    func oneTurnThatTellsNothingMakesThemShort(length: Int, microseconds: Int, pause: Int) {
        var link = Link(fastTurns: TurnLength.fastCount)
        link.accept(length, in: .microseconds(microseconds), after: .microseconds(pause))
        #expect(link.length.next == TurnLength.shortest)
    }

    @Test func whatASlowLinkTakesAtOnceDoesNotCount() {
        var link = Link()
        // 5 Mbit/s, and buffers for half a megabyte.
        for number in 0..<100 {
            link.accept(TurnLength.shortest, in: number % 9 == 8 ? .milliseconds(105) : .zero)
            #expect(link.length.next == TurnLength.shortest)
        }
        // 10 Mbit/s, and 64 KiB every 100 ms.
        for _ in 0..<100 {
            link.accept(TurnLength.shortest, in: .microseconds(5), after: .milliseconds(100))
            #expect(link.length.next == TurnLength.shortest)
        }
    }
}
