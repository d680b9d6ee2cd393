import Foundation
import Glibc
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// How large a part of a map is, before it is written.
@Suite struct MapPartSizesTests {
    private static let route = [
        Coordinate(latitude: 42.5063, longitude: 1.5218), Coordinate(latitude: 42.6012, longitude: 1.4439),
    ].compactMap { $0 }

    private static let rules: [CutRule] = [
        CutRule(along: [route]), CutRule(along: [route], within: 100), CutRule(along: [route], within: 20_000),
        CutRule(area: BoundingBox(north: 42.6, south: 42.5, east: 1.6, west: 1.55)), CutRule(maximumZoom: 12),
        CutRule(along: [route], within: 5000, maximumZoom: 13),
    ]

    /// Tiles of all lengths, some of which are there again and again.
    private static func tiles(seed: UInt64) -> [MapTile] {
        var generator = SeededGenerator(seed: seed)
        var tiles: [MapTile] = []
        for zoomLevel in 8...15 {
            let grid = TileGrid(zoomLevel: zoomLevel)
            guard let first = grid.tile(at: route[1]), let last = grid.tile(at: route[0]) else { continue }
            for column in first.column - 2...last.column + 12 {
                for row in (first.row - 2...last.row + 2).reversed() {
                    guard let address = TileAddress(zoomLevel: zoomLevel, column: column, row: row) else { continue }
                    let isSea = Int.random(in: 0..<4, using: &generator) == 0
                    let length = isSea ? 600 : Int.random(in: 1...12_000, using: &generator)
                    let data = (0..<length).map { _ in isSea ? 7 : UInt8.random(in: 0...255, using: &generator) }
                    tiles.append(MapTile(address, data: data))
                }
            }
        }
        return tiles
    }

    private static func database(_ path: String) throws -> UntrustedDatabase {
        try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 600, memory: 64 << 20))
    }

    @Test(arguments: [1, 2] as [UInt64]) func theSizeIsThatOfTheFile(seed: UInt64) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let metadata = ["name": "Nordkette", "json": String(repeating: "layer ", count: 2000)]
            try MBTilesWriterTests.write(Self.tiles(seed: seed), to: folder.path("map"), metadata)
            let map = try Self.database(folder.path("map"))
            let size = try OpenFile(folder.path("map"), O_RDONLY).size()
            let sizes = try #require(try MapPartSizes(of: map, mapSize: size))
            for (index, rule) in Self.rules.enumerated() {
                let part = try sizes.part(of: rule)
                let cut = try MapCut(rule, of: map)
                #expect(part.tileCount == cut.tileCount && part.wholeTileCount == cut.wholeTileCount)
                #expect(!part.isWhole && part.tileCount > 0)
                let file = try OpenFile(folder.path("\(index)"), O_RDWR | O_CREAT)
                try cut.write(to: file)
                let written = try file.size()
                // The metadata of the part may need a page more or less.
                let difference = max(part.size, written) - min(part.size, written)
                #expect(difference <= 4096, "\(part.size) and \(written) bytes")
            }
            let whole = try sizes.part(of: CutRule(maximumZoom: 15))
            #expect(whole.isWhole && whole.size == size)
            let nothing = try sizes.part(of: CutRule(area: BoundingBox(north: 1, south: 0, east: 1, west: 0)))
            #expect(nothing.tileCount == 0 && nothing.size == 0)
        }
    }

    @Test func aMapOfTooManyTilesIsNotRead() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles(seed: 3)
            try MBTilesWriterTests.write(tiles, to: folder.path("map"))
            let map = try Self.database(folder.path("map"))
            #expect(try MapPartSizes(of: map, mapSize: 1, atMost: tiles.count) != nil)
            #expect(try MapPartSizes(of: map, mapSize: 1, atMost: tiles.count - 1) == nil)
        }
    }
}
