import PeerProtocol
import PeerTestSupport
import Testing

@testable import MapFiles

@Suite struct TileBatchTests {
    /// Why these: fewer tiles than cores, and numbers that no number of cores divides.
    @Test(arguments: [0, 1, 2, 3, 7, 61, 257])
    func spansComeInTheOrderOfTheTiles(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let tiles = (0..<count).map { number in
            TileWalk.Tile(
                bytes: random.bytes(1 + number * 37 % 5000),
                spans: [(UInt64(number) * 10_000, 100, 0), (UInt64(number) * 10_000 + 5000, 7, 100)],
                number: RowNumber(value: UInt64(number))
            )
        }
        var batch = TileBatch()
        for tile in tiles { batch.append(tile) }
        let spans = batch.takeSpans()
        #expect(spans.map(\.key) == tiles.flatMap { [$0.number?.value, $0.number?.value] })
        #expect(spans.map(\.offset) == tiles.flatMap { $0.spans.map(\.offset) })
        #expect(
            spans.map(\.digest)
                == tiles.flatMap { tile in
                    let digest = tile.bytes.withUnsafeBytes { PieceDigest(hashing: $0) }
                    return [digest, digest]
                }
        )
        #expect(batch.takeSpans().isEmpty)
    }

    @Test func isFullWithAMebibyte() {
        var batch = TileBatch()
        batch.append(TileWalk.Tile(bytes: [UInt8](repeating: 1, count: (1 << 20) - 1), spans: []))
        let isFullBefore = batch.isFull
        batch.append(TileWalk.Tile(bytes: [2], spans: []))
        #expect(!isFullBefore && batch.isFull)
        _ = batch.takeSpans()
        #expect(!batch.isFull)
    }
}
