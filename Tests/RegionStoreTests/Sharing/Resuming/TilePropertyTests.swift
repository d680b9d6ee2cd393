import Foundation
import GRDB
import NIOCore
import PeerCore
import PeerStorage
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// How many further pairs are tried, which takes as long as a person wants; nil for none.
private let wishedPairs = ProcessInfo.processInfo.environment["HIKESHARE_EXPLORE_MAPS"]

/// Maps of any form, and newer versions that were written in any way: what a receiver puts together is the same file, and little
/// crosses beside the new tiles.
///
/// `HIKESHARE_EXPLORE_MAPS=1000 Scripts/test --filter TilePropertyTests` tries as many further pairs, and `2000-3000` those from the
/// first number up to the second.
@Suite(.timeLimit(.minutes(wishedPairs == nil ? 10 : 600))) struct TilePropertyTests {
    private static let seeds: Range<UInt64> = {
        let numbers = (wishedPairs ?? "0").split(separator: "-").compactMap { UInt64($0) }
        return numbers.count == 2 ? numbers[0]..<max(numbers[0], numbers[1]) : 0..<12 + (numbers.first ?? 0)
    }()

    /// What a transfer has cost, in bytes.
    private struct Cost {
        var lists = 0
        var requests = 0
        var missing: UInt64 = 0
        var wrongChunks = 0

        var all: Int { lists + requests + Int(missing) }
    }

    /// An older and a newer map, and the bytes of the tiles that only the newer one has.
    private static func versions(_ generator: inout SeededGenerator) -> (older: TiledMap, newer: TiledMap, changed: Int)
    {
        let mean = [800, 2_000, 9_000, 30_000].randomElement(using: &generator) ?? 2_000
        let count = min(3_000, 1_500_000 / mean)
        var tiles = (0..<count).map { number in
            TiledMap.Tile(
                zoom: 12,
                column: 2_000 + number / 60,
                row: 2_500 + number % 60,
                bytes: generator.bytes(Int.random(in: mean / 4...mean * 7 / 4, using: &generator))
            )
        }
        var older = TiledMap(tiles)
        older.form = TiledMap.Form.allCases.randomElement(using: &generator) ?? .rows
        older.pageSize = [512, 1_024, 4_096, 4_096, 16_384, 65_536].randomElement(using: &generator) ?? 4_096
        older.isAutoVacuum = Bool.random(using: &generator)
        var changed = 0
        for index in tiles.indices where Int.random(in: 0..<20, using: &generator) == 0 {
            tiles[index].bytes = generator.bytes(Int.random(in: mean / 4...mean * 7 / 4, using: &generator))
            changed += tiles[index].bytes.count
        }
        if Bool.random(using: &generator) { tiles.removeLast(Int.random(in: 0..<count / 10, using: &generator)) }
        if Bool.random(using: &generator) { tiles.shuffle(using: &generator) }
        var newer = older
        newer.tiles = tiles
        if Bool.random(using: &generator) {
            newer.pageSize = [512, 4_096, 65_536].randomElement(using: &generator) ?? 4_096
            newer.form = TiledMap.Form.allCases.randomElement(using: &generator) ?? .rows
        }
        return (older, newer, changed)
    }

    /// Puts the chunks together that a receiver lacks, as the two sides of a transfer do.
    private static func transfer(
        _ located: LocatedChunks,
        _ entry: ManifestEntry,
        _ digests: [ContentDigest],
        from source: RegionSource,
        _ bytes: [UInt8]
    ) throws -> (chunks: [Int: [UInt8]], cost: Cost) {
        let (layout, pieces) = (entry.layout, source.pieces(of: entry))
        var (cost, chunks): (Cost, [Int: [UInt8]]) = (Cost(), [:])
        guard let older = located.older else { return (chunks, cost) }
        var left = RangeSet(older.chunks.ranges)
        while !left.isEmpty {
            let query = try #require(layout.runs(validating: Array(left.ranges)))
            let made = try #require(
                try PieceListBuilder.list(
                    of: query,
                    layout: layout,
                    shape: pieces?.shape ?? .none,
                    spans: pieces?.spans,
                    read: { ByteBuffer(bytes: bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
                )
            )
            let list = try PieceList(reading: made.bytes, query: query, layout: layout)
            let comparison = PieceComparison(list, with: older)
            let missing = comparison.missing(of: query)
            cost.lists += made.bytes.readableBytes
            cost.requests += missing.ranges.count * 32
            cost.missing += missing.byteCount
            for chunk in list.chunks.ranges.joined() {
                let range = layout.byteRange(of: chunk..<chunk + 1)
                var content = comparison.bytes(of: chunk, layout)
                for part in missing.ranges.map({ $0.clamped(to: range) }) where !part.isEmpty {
                    let arrived = bytes[Int(part.lowerBound)..<Int(part.upperBound)]
                    content.setBytes(arrived, at: Int(part.lowerBound - range.lowerBound))
                }
                chunks[chunk] = Array(content.readableBytesView)
                if ContentDigest(hashing: content) != digests[chunk] { cost.wrongChunks += 1 }
            }
            left.remove(contentsOf: 0..<made.end)
        }
        return (chunks, cost)
    }

    @Test(arguments: seeds) func aNewerVersionCostsItsNewTiles(seed: UInt64) async throws {
        try await TemporaryDirectory.with { directory in
            var generator = SeededGenerator(seed: seed)
            let (older, newer, changed) = Self.versions(&generator)
            try older.write(to: directory.path("older.mbtiles"))
            try newer.write(to: directory.path("newer.mbtiles"))
            if Bool.random(using: &generator) {
                let queue = try DatabaseQueue(path: directory.path("newer.mbtiles"))
                try queue.vacuum()
                try queue.close()
            }
            let sending = try RegionStore(path: directory.path("sending"))
            let receiving = try RegionStore(path: directory.path("receiving"))
            let region = try sending.importMap(at: directory.path("newer.mbtiles"), name: "newer").region
            try receiving.importMap(at: directory.path("older.mbtiles"), name: "older")
            let source = try sending.source(for: region.id)
            let entry = try #require(source.manifest.entry(of: .mbtiles))
            let digests = try source.chunkDigests(of: entry)
            let located = try receiving.sink().locate(entry, of: source.manifest, digests: digests) { false }
            let bytes = try Transfers.bytes(of: entry, source)
            let (chunks, cost) = try Self.transfer(located, entry, digests, from: source, bytes)
            #expect(cost.wrongChunks == 0)
            for chunk in located.missing.ranges.joined() {
                let range = entry.layout.byteRange(of: chunk..<chunk + 1)
                let isSame = chunks[chunk].map {
                    $0.elementsEqual(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
                }
                #expect(isSame == true, "chunk \(chunk)")
            }
            let isShort = newer.tiles.reduce(0) { $0 + $1.bytes.count } / newer.tiles.count < 1_000
            // Pages of 512 bytes have a pointer for each 508 bytes.
            let share = (isShort ? 0.11 : 0.02) + (newer.pageSize < 4_096 ? 0.02 : 0)
            // The names of shared tiles are random, and stand in two tables and an index.
            let names = newer.form == .shared ? 40 * newer.tiles.count : 0
            let most = Double(changed) + share * Double(bytes.count) + Double(names) + 4_096
            #expect(
                Double(cost.all) <= most,
                "\(cost), \(changed) of \(bytes.count) bytes are new: \(newer.form) \(newer.pageSize)"
            )
        }
    }
}
