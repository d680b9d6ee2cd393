import Glibc
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// A map with the tiles of a part added.
@Suite struct MapUnionTests {
    /// Whatever the two have: the tiles of the part where it has data, and the others of the map.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func nothingIsTakenAway(seed: UInt64) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var generator = SeededGenerator(seed: seed)
            let all = MBTilesWriterTests.tiles(300, seed: seed) { $0.bytes(Int.random(in: 1...50, using: &$0)) }
            let map = all.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
            let part = all.filter { _ in Bool.random(using: &generator) }.map { tile in
                let lengths = [0, tile.data.count, 5]
                let length = lengths.randomElement(using: &generator) ?? 0
                return length == tile.data.count ? tile : MapTile(tile.address, data: generator.bytes(length))
            }
            try MBTilesWriterTests.write(map, to: folder.path("map"), ["name": "Map", "attribution": "A"])
            try MBTilesWriterTests.write(part, to: folder.path("part"), ["name": "Part"])

            let union = try #require(
                try MapUnion(adding: Self.open(folder.path("part")), to: Self.open(folder.path("map")))
            )
            try union.write(to: try OpenFile(folder.path("union"), O_RDWR | O_CREAT), check: { _ in })

            var expected = Dictionary(uniqueKeysWithValues: map.map { ($0.address, $0) })
            for tile in part where !tile.data.isEmpty { expected[tile.address] = tile }
            let read = try MBTilesWriterTests.read(folder.path("union"))
            #expect(read == expected.values.sorted { $0.address < $1.address })
            #expect(union.isMap == (read == map))
            try UntrustedFile.check(folder.path("union"), as: .mbtiles, isThorough: true, seconds: 600)
            // The part is then in it.
            let again = try MapUnion(adding: Self.open(folder.path("part")), to: Self.open(folder.path("union")))
            #expect(again?.isMap == true)
        }
    }

    /// No tile is older than the date of the map with the part.
    @Test(
        arguments: [
            ("2026-05-01", "2026-06-01", "2026-05-01"), ("2026-05-01", "2025-06-01", "2025-06-01"),
            ("2026-05-01", nil, "2026-05-01"), (nil, "2026-05-01", nil),
        ] as [(String?, String?, String?)]
    )
    func theDateIsTheOlderOne(map: String?, part: String?, expected: String?) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = MBTilesWriterTests.tiles(20, seed: 1) { $0.bytes(9) }
            for (name, date, tiles) in [("map", map, tiles[...]), ("part", part, tiles[..<5])] {
                let changed = tiles.map { name == "map" ? $0 : MapTile($0.address, data: $0.data + [1]) }
                let metadata = date.map { ["date": $0] } ?? [:]
                try MBTilesWriterTests.write(changed, to: folder.path(name), metadata)
            }
            let union = try #require(
                try MapUnion(adding: Self.open(folder.path("part")), to: Self.open(folder.path("map")))
            )
            try union.write(to: try OpenFile(folder.path("union"), O_RDWR | O_CREAT), check: { _ in })
            let metadata = try MBTilesFile.metadata(ofCut: Self.open(folder.path("union")))
            #expect(metadata["date"] == expected && metadata[MBTilesFile.partKey] == nil)
        }
    }

    /// A part with a part added stays one until it has as many tiles as the larger of their maps.
    @Test(
        arguments: [
            ("8", "20", "20"), ("20", "8", "20"), ("8", "9", nil), ("8", nil, nil), (nil, "20", nil),
        ] as [(String?, String?, String?)]
    )
    func twoPartsAreOneOfTheLargerMap(map: String?, part: String?, expected: String?) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = MBTilesWriterTests.tiles(10, seed: 1) { $0.bytes(9) }
            for (name, whole, tiles) in [("map", map, tiles[..<5]), ("part", part, tiles[5...])] {
                let metadata = whole.map { [MBTilesFile.partKey: $0] } ?? [:]
                try MBTilesWriterTests.write(Array(tiles), to: folder.path(name), metadata)
            }
            let union = try #require(
                try MapUnion(adding: Self.open(folder.path("part")), to: Self.open(folder.path("map")))
            )
            try union.write(to: try OpenFile(folder.path("union"), O_RDWR | O_CREAT), check: { _ in })
            #expect(try MBTilesFile.metadata(ofCut: Self.open(folder.path("union")))[MBTilesFile.partKey] == expected)
        }
    }

    private static func open(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 600, memory: 64 << 20))
    }
}
