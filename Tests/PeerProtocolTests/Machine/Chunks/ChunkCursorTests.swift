import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct ChunkCursorTests {
    static func cursor(_ ranges: Range<Int>...) throws -> ChunkCursor {
        let layout = Sample.tiles.layout
        return ChunkCursor(runs: try #require(layout.runs(validating: ranges)), layout: layout)
    }

    @Test func takesPiecesThatNeverCrossTwoRuns() throws {
        var cursor = try Self.cursor(0..<1, 2..<3)
        #expect(cursor.remaining == 16_384 + 7_232)
        expect(cursor.takeBytes(atMost: 10_000), equals: 0..<10_000)
        expect(cursor.takeBytes(atMost: 10_000), equals: 10_000..<16_384)
        expect(cursor.takeBytes(atMost: 10_000), equals: 32_768..<40_000)
        #expect(cursor.isAtEnd)
        expect(cursor.takeBytes(atMost: 10_000), equals: nil)
        #expect(cursor.remaining == 0)
    }

    @Test func runsThatTouchStayTwoRuns() throws {
        var cursor = try Self.cursor(0..<1, 1..<2)
        expect(cursor.takeBytes(atMost: .max), equals: 0..<16_384)
        expect(cursor.takeBytes(atMost: .max), equals: 16_384..<32_768)
        #expect(cursor.isAtEnd)
    }

    @Test(arguments: [0, -1, Int.min])
    func takesNothingForNoLength(maximum: Int) throws {
        var cursor = try Self.cursor(0..<3)
        expect(cursor.takeBytes(atMost: maximum), equals: nil)
        #expect(cursor.remaining == 40_000)
    }

    @Test func isAtEndWithoutRuns() {
        var cursor = ChunkCursor(runs: .none, layout: Sample.tiles.layout)
        #expect(cursor.isAtEnd)
        expect(cursor.takeBytes(atMost: 1), equals: nil)
        expect(cursor.pass(offset: 0, length: 1), equals: false)
    }

    @Test func passesTheNextPieceOnly() throws {
        var cursor = try Self.cursor(0..<1, 2..<3)
        let before = cursor
        let wrong: [(offset: UInt64, length: Int)] = [
            (1, 1), (32_768, 1), (.max, 1), (0, 0), (0, -1), (0, Int.min), (0, 16_385), (0, Int.max), (0, 40_000),
        ]
        for piece in wrong {
            expect(cursor.pass(offset: piece.offset, length: piece.length), equals: false, "\(piece)")
            #expect(cursor == before)
        }
        expect(cursor.pass(offset: 0, length: 16_383), equals: true)
        expect(cursor.pass(offset: 16_383, length: 2), equals: false)
        expect(cursor.pass(offset: 16_383, length: 1), equals: true)
        expect(cursor.pass(offset: 16_384, length: 1), equals: false)
        expect(cursor.pass(offset: 0, length: 1), equals: false)
        expect(cursor.pass(offset: 32_768, length: 7_232), equals: true)
        #expect(cursor.isAtEnd)
        expect(cursor.pass(offset: 40_000, length: 1), equals: false)
        expect(cursor.pass(offset: 32_768, length: 1), equals: false)
    }

    @Test func runsOfALongerResourceAreCutToThisOne() throws {
        let longer = try #require(ChunkLayout(size: 1_000_000))
        let runs = try #require(longer.runs(validating: [1..<5, 10..<20]))
        var cursor = ChunkCursor(runs: runs, layout: Sample.tiles.layout)
        expect(cursor.takeBytes(atMost: .max), equals: 16_384..<40_000)
        #expect(cursor.isAtEnd)
    }

    @Test(arguments: 0..<20)
    func whatOneSideTakesTheOtherPasses(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let layout = try #require(ChunkLayout(size: 200_000))
        let chosen = (0..<layout.chunkCount).filter { _ in Bool.random(using: &random) }
        let runs = try #require(layout.runs(validating: chosen.map { $0..<$0 + 1 }))
        var taker = ChunkCursor(runs: runs, layout: layout)
        var passer = taker
        var count: UInt64 = 0
        while let piece = taker.takeBytes(atMost: Int.random(in: 1...20_000, using: &random)) {
            expect(passer.pass(offset: piece.lowerBound, length: piece.count), equals: true)
            #expect(passer == taker)
            count += UInt64(piece.count)
        }
        #expect(count == runs.byteCount(in: layout))
        #expect(passer.isAtEnd)
    }
}
