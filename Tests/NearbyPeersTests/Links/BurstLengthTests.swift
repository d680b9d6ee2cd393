import Testing

@testable import NearbyPeers

/// Turns are long on fast links only.
@Suite struct BurstLengthTests {
    /// A link on which one burst follows the other.
    private struct Link {
        var length = BurstLength()
        var now = ContinuousClock.now

        init(fastTurns count: Int = 0) {
            for _ in 0..<count { accept(BurstLength.shortest, in: .microseconds(400)) }
        }

        mutating func accept(_ bytes: Int, in time: Duration, after pause: Duration = .microseconds(20)) {
            let start = now + pause
            now = start + time
            length.accepted(bytes, from: start, to: now)
        }
    }

    @Test func turnsAreLongOnceManyInARowWereFast() {
        var link = Link(fastTurns: BurstLength.fastCount - 1)
        #expect(link.length.next == BurstLength.shortest)
        link.accept(BurstLength.shortest, in: .microseconds(400))
        #expect(link.length.next == BurstLength.longest)
        // A long burst may take as much longer.
        link.accept(BurstLength.longest, in: .microseconds(1600))
        #expect(link.length.next == BurstLength.longest)
    }

    @Test(arguments: [(65_536, 600, 20), (262_144, 2100, 20), (40_000, 10, 20), (0, 0, 20), (65_536, 10, 1100)])
    func oneTurnThatTellsNothingMakesThemShort(length: Int, microseconds: Int, pause: Int) {
        var link = Link(fastTurns: BurstLength.fastCount)
        link.accept(length, in: .microseconds(microseconds), after: .microseconds(pause))
        #expect(link.length.next == BurstLength.shortest)
    }

    @Test func whatASlowLinkTakesAtOnceDoesNotCount() {
        var link = Link()
        // 5 Mbit/s, and buffers for half a megabyte.
        for number in 0..<100 {
            link.accept(BurstLength.shortest, in: number % 9 == 8 ? .milliseconds(105) : .zero)
            #expect(link.length.next == BurstLength.shortest)
        }
        // 10 Mbit/s, and 64 KiB every 100 ms.
        for _ in 0..<100 {
            link.accept(BurstLength.shortest, in: .microseconds(5), after: .milliseconds(100))
            #expect(link.length.next == BurstLength.shortest)
        }
    }
}
