import PeerProtocol
import PeerTestSupport
import Testing

@Suite struct ByteRunsTests {
    let layout = Sample.tiles.layout

    @Test func runsHaveSoManyBytes() throws {
        #expect(try Sample.tiles.pages(1..<3, 9..<10).byteCount == 8192 + 3136)
        #expect(ByteRuns.none.byteCount == 0)
    }

    @Test(
        arguments: [
            ([], true), ([0..<1], true), ([0..<40_000], true), ([0..<1, 1..<4, 8..<10], true),
            ([39_999..<40_000], true),
            ([0..<40_001], false), ([40_000..<40_001], false), ([1..<2, 0..<1], false), ([0..<2, 1..<3], false),
            ([0..<0], false), ([8..<9, 2..<3], false), ([0..<UInt64.max], false),
        ] as [([Range<UInt64>], Bool)]
    )
    func bytesMustLieInsideTheResource(runs: [Range<UInt64>], isAllowed: Bool) throws {
        #expect(layout.byteRuns(validating: runs)?.ranges == (isAllowed ? runs : nil))
    }

    @Test func aPieceDigestIsTheBeginningOfTheWholeOne() {
        let page = Array(Sample.tiles.bytes[36_864...])
        let digest = page.withUnsafeBytes { PieceDigest(hashing: $0) }
        #expect(String(digest.bits, radix: 16) == "68e8320c30ab654e")
        #expect(ContentDigest(hashing: page).hex.hasPrefix("68e8320c30ab654e"))
        var hasher = PieceDigest.Hasher()
        for part in [page[..<36], page[36...]].map(Array.init) { part.withUnsafeBytes { hasher.update($0) } }
        #expect(hasher.finalize() == digest)
    }
}
