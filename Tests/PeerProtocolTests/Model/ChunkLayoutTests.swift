import PeerProtocol
import Testing

@Suite struct ChunkLayoutTests {
    static let chunk: UInt64 = 16 * 1024
    static let gibibyte: UInt64 = 1024 * 1024 * 1024

    /// Size, chunk length, number of chunks.
    @Test(arguments: [
        (0, chunk, 0),
        (1, chunk, 1),
        (chunk - 1, chunk, 1),
        (chunk, chunk, 1),
        (chunk + 1, chunk, 2),
        (40_000, chunk, 3),
        (gibibyte - 1, chunk, 65_536),
        (gibibyte, chunk, 65_536),
        (gibibyte + 1, 2 * chunk, 32_769),
        (2 * gibibyte, 2 * chunk, 65_536),
        (2 * gibibyte + 1, 4 * chunk, 32_769),
        (ChunkLayout.maximumSize - 1, 256 * chunk, 65_536),
        (ChunkLayout.maximumSize, 256 * chunk, 65_536),
    ])
    func chunkLengthFollowsFromSize(size: UInt64, length: UInt64, count: Int) throws {
        let layout = try #require(ChunkLayout(size: size))
        #expect(layout.size == size)
        #expect(layout.chunkLength == length)
        #expect(layout.chunkCount == count)
    }

    @Test(arguments: [ChunkLayout.maximumSize + 1, UInt64.max / 2, UInt64.max])
    func refusesSizesBeyondTheLargest(size: UInt64) {
        #expect(ChunkLayout(size: size) == nil)
    }

    @Test(arguments: [1, chunk - 1, chunk, chunk + 1, 40_000, 10 * chunk])
    func chunksCoverTheResourceWithoutGapOrOverlap(size: UInt64) throws {
        let layout = try #require(ChunkLayout(size: size))
        var end: UInt64 = 0
        for position in 0..<layout.chunkCount {
            let range = layout.byteRange(of: position..<position + 1)
            #expect(range.lowerBound == end)
            #expect(!range.isEmpty)
            #expect(UInt64(range.count) <= layout.chunkLength)
            end = range.upperBound
        }
        #expect(end == size)
        #expect(layout.byteRange(of: 0..<layout.chunkCount) == 0..<size)
    }

    @Test(arguments: [Int.min..<Int.max, -5..<(-1), -1..<1, 2..<9, 3..<4, 7..<Int.max, Int.max..<Int.max])
    func byteRangesStayInsideTheResource(positions: Range<Int>) throws {
        for size in [0, 1, 40_000, ChunkLayout.maximumSize] {
            let layout = try #require(ChunkLayout(size: size))
            #expect(layout.byteRange(of: positions).upperBound <= size)
        }
    }

    @Test func chunkOfALongerResourceCoversNothing() {
        #expect(Sample.tiles.layout.byteRange(of: 9..<10).isEmpty)
        #expect(Sample.emptyRoutes.layout.byteRange(of: 9..<10).isEmpty)
    }

    @Test(arguments: [
        [], [0..<3], [0..<1], [2..<3], [0..<1, 2..<3], [0..<1, 1..<2, 2..<3],
    ])
    func acceptsAscendingRunsInside(ranges: [Range<Int>]) throws {
        let runs = try #require(Sample.tiles.layout.runs(validating: ranges))
        #expect(runs.ranges == ranges)
        #expect(runs.chunkCount == ranges.map(\.count).reduce(0, +))
    }

    @Test(arguments: [
        [0..<0], [0..<4], [3..<4], [2..<3, 0..<1], [0..<2, 1..<3], [0..<1, 0..<1], [-1..<1], [Int.min..<1],
        [0..<Int.max],
        [1..<2, 2..<2],
    ])
    func refusesRunsThatAreNotAscendingOrNotInside(ranges: [Range<Int>]) {
        #expect(Sample.tiles.layout.runs(validating: ranges) == nil)
    }

    @Test func anEmptyResourceHasNoRunButNone() {
        let layout = Sample.emptyRoutes.layout
        #expect(layout.allChunks == .none)
        #expect(layout.runs(validating: []) == ChunkRuns.none)
        #expect(layout.runs(validating: [0..<1]) == nil)
    }

    @Test func countsTheBytesOfRuns() throws {
        let layout = Sample.tiles.layout
        #expect(layout.allChunks.byteCount(in: layout) == 40_000)
        #expect(try Sample.tiles.runs(0..<1, 2..<3).byteCount(in: layout) == 16_384 + 7_232)
        #expect(ChunkRuns.none.byteCount(in: layout) == 0)
    }
}
