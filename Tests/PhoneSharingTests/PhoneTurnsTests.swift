import PeerCore
import Testing
import WebServer

@testable import PhoneSharing

@Suite struct PhoneTurnsTests {
    @Test func aPhoneHasItsPlace() async {
        let turns = PhoneTurns()
        let (one, other) = ("127.0.0.1", "127.0.0.2")
        #expect(turns.turn(of: one, size: 1000) == nil)
        let (first, second) = (turns.pace(for: one), turns.pace(for: other))
        #expect(first.stepLimit == 16 * 1024)
        await first.wait(100, left: 1000)
        #expect(turns.turn(of: one, size: 1000) == nil)
        #expect(turns.turn(of: other, size: 1000).map(Self.place) == .waiting(TransferTurn(place: 2, count: 2)))
        await second.wait(100, left: 100_000)
        #expect(turns.turn(of: one, size: 1000).map(Self.place) == .downloading(TransferTurn(place: 1, count: 2)))
        #expect(turns.turn(of: other, size: 1000).map(Self.place) == .downloading(TransferTurn(place: 2, count: 2)))
        #expect(first.stepLimit == .max)
        #expect(second.stepLimit < 100_000)
        first.leave()
        #expect(turns.turn(of: other, size: 1000) == nil)
        second.leave()
        #expect(turns.turn(of: other, size: 1000) == nil)
    }

    /// The turn without its times.
    private static func place(_ turn: PhoneTurn) -> PhoneTurn {
        switch turn {
        case .downloading(let turn): .downloading(TransferTurn(place: turn.place, count: turn.count))
        case .waiting(let turn): .waiting(TransferTurn(place: turn.place, count: turn.count))
        }
    }

    /// Several downloads of one phone do not wait for others.
    @Test func downloadsOfOnePhoneAreNoOthers() async {
        let turns = PhoneTurns()
        let downloads = (0..<3).map { _ in turns.pace(for: "127.0.0.1") }
        for download in downloads { await download.wait(100, left: 1000) }
        #expect(turns.turn(of: "127.0.0.1", size: 1000) == nil)
        for download in downloads { download.leave() }
    }

    @Test func anAnswerThatNeverBeganLeavesNothing() {
        let turns = PhoneTurns()
        turns.pace(for: "127.0.0.1").leave()
        #expect(turns.turn(of: "127.0.0.2", size: 1000) == nil)
    }
}
