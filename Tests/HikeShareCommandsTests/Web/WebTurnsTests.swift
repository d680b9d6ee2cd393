import PeerCore
import Testing
import WebServer

@testable import HikeShareCommands

@Suite struct WebTurnsTests {
    @Test func aPhoneIsToldItsPlace() async {
        let turns = WebTurns()
        let (one, other) = ("127.0.0.1", "127.0.0.2")
        #expect(turns.words(for: one, size: 1000) == nil)
        let (first, second) = (turns.pace(for: one), turns.pace(for: other))
        #expect(first.pieceLimit == 16 * 1024)
        await first.wait(100, left: 1000)
        #expect(turns.words(for: one, size: 1000) == nil)
        #expect(
            turns.words(for: other, size: 1000)
                == "The laptop serves 1 other first. A download waits for its turn."
        )
        await second.wait(100, left: 100_000)
        #expect(turns.words(for: one, size: 1000) == "Your download is being sent.")
        #expect(turns.words(for: other, size: 1000) == "Your download is second.")
        #expect(first.pieceLimit == .max)
        #expect(second.pieceLimit < 100_000)
        first.leave()
        #expect(turns.words(for: other, size: 1000) == nil)
        second.leave()
        #expect(turns.words(for: other, size: 1000) == nil)
    }

    /// Several downloads of one phone do not wait for others.
    @Test func downloadsOfOnePhoneAreNoOthers() async {
        let turns = WebTurns()
        let downloads = (0..<3).map { _ in turns.pace(for: "127.0.0.1") }
        for download in downloads { await download.wait(100, left: 1000) }
        #expect(turns.words(for: "127.0.0.1", size: 1000) == nil)
        for download in downloads { download.leave() }
    }

    @Test func anAnswerThatNeverBeganLeavesNothing() {
        let turns = WebTurns()
        turns.pace(for: "127.0.0.1").leave()
        #expect(turns.words(for: "127.0.0.2", size: 1000) == nil)
    }
}
