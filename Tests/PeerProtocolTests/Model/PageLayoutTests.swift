import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct PageLayoutTests {
    let layout = Sample.tiles.layout

    @Test func chunksAreWholeNumbersOfPages() throws {
        #expect(layout.pages(of: 0..<1) == 0..<4)
        #expect(layout.pages(of: 1..<3) == 4..<10)
        #expect(layout.pages(of: 0..<3) == 0..<10)
        #expect(layout.byteRange(ofPages: 9..<10) == 36_864..<40_000)
        #expect(layout.byteRange(ofPages: 1..<3) == 4096..<12_288)
        #expect(layout.byteRange(ofPages: 9..<12) == 36_864..<40_000)
        let largest = try #require(ChunkLayout(size: ChunkLayout.maximumSize))
        #expect(largest.pages(of: 0..<largest.chunkCount) == 0..<67_108_864)
        #expect(largest.pages(of: 65_535..<65_536).count == 1024)
    }

    @Test func runsHaveSoManyPagesAndBytes() throws {
        let chunks = try Sample.tiles.runs(0..<1, 2..<3)
        #expect(chunks.pageCount(in: layout) == 6)
        #expect(try Sample.tiles.pages(1..<3, 9..<10, of: chunks).byteCount(in: layout) == 8192 + 3136)
    }

    @Test(
        arguments: [
            ([], true), ([0..<4], true), ([0..<1, 1..<4, 8..<10], true), ([9..<10], true), ([3..<4, 8..<9], true),
            ([4..<5], false), ([3..<5], false), ([0..<10], false), ([7..<9], false), ([9..<11], false),
            ([10..<11], false),
            ([1..<2, 0..<1], false), ([0..<2, 1..<3], false), ([0..<0], false), ([8..<9, 2..<3], false),
            ([0..<Int(UInt32.max)], false), ([-1..<1], false),
        ] as [([Range<Int>], Bool)]
    )
    func pagesMustLieInsideTheChunks(runs: [Range<Int>], isAllowed: Bool) throws {
        let pages = layout.pageRuns(validating: runs, inside: try Sample.tiles.runs(0..<1, 2..<3))
        #expect(pages?.ranges == (isAllowed ? runs : nil))
    }

    @Test func aRunOfPagesMayCoverSeveralChunksOfARun() throws {
        #expect(layout.pageRuns(validating: [2..<9], inside: try Sample.tiles.runs(0..<3)) != nil)
        #expect(layout.pageRuns(validating: [2..<9], inside: try Sample.tiles.runs(0..<1, 1..<3)) == nil)
    }

    @Test func aPageDigestIsTheBeginningOfTheWholeOne() {
        let page = Array(Sample.tiles.bytes[36_864...])
        let digest = page.withUnsafeBytes { PageDigest(hashing: $0) }
        #expect(String(digest.bits, radix: 16) == "68e8320c30ab654e")
        #expect(ContentDigest(hashing: page).hex.hasPrefix("68e8320c30ab654e"))
        #expect(Sample.tiles.bytes.withUnsafeBytes { PageDigest.digests(of: $0) }.count == 10)
        #expect([UInt8]().withUnsafeBytes { PageDigest.digests(of: $0) }.isEmpty)
    }
}
