import Foundation
import GRDB
import Glibc
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// Maps that the program writes, read by SQLite.
@Suite struct MBTilesWriterTests {
    /// Every shape of the b-trees, up to four levels, with small pages: of each number of tiles, SQLite reads what was written.
    @Test func everyNumberOfTilesIsRead() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            for count in Array(1...300) + Array(2900...2930) + [3300, 3301] {
                let tiles = Self.tiles(count, seed: UInt64(count)) { generator in
                    generator.bytes(Int.random(in: 0...12, using: &generator))
                }
                try check(tiles, folder.path("\(count).mbtiles"), pageSize: 1024)
            }
        }
    }

    /// Tiles of every length, in particular those after which a tile no longer fits on a page.
    @Test(arguments: [1024, 4096]) func everyLengthOfTilesIsRead(pageSize: Int) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var lengths = Array(0...40) + Array(pageSize - 60...pageSize + 20)
            for pages in 1...3 {
                lengths += Array((pages + 1) * (pageSize - 4) - 60...(pages + 1) * (pageSize - 4) + 600)
            }
            let tiles = zip(lengths, Self.tiles(lengths.count, seed: 1) { _ in [] }).map { length, tile in
                var generator = SeededGenerator(seed: UInt64(length))
                return MapTile(tile.address, data: generator.bytes(length))
            }
            try check(tiles, folder.path("lengths.mbtiles"), pageSize: pageSize)
        }
    }

    /// Any tiles, from one to many, empty or long: SQLite and the check of imports accept the file.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func randomMapsAreRead(seed: UInt64) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var generator = SeededGenerator(seed: seed)
            let count = [1, 10, 200, 3000].randomElement(using: &generator) ?? 1
            let longest = [0, 100, 2000, 40_000].randomElement(using: &generator) ?? 0
            var tiles = Self.tiles(count, seed: seed) { generator in
                // Some are repeated.
                if Int.random(in: 0..<4, using: &generator) == 0 { return [7, 8, 9] }
                return generator.bytes(Int.random(in: 0...longest, using: &generator))
            }
            tiles[0] = MapTile(tiles[0].address, data: MapFileBytes.png + generator.bytes(40))
            if seed.isMultiple(of: 4) {
                tiles[0] = MapTile(
                    tiles[0].address,
                    data: MapFileBytes.png + generator.bytes(MBTilesWriter.maximumTileLength - 8)
                )
            }
            let path = folder.path("random.mbtiles")
            try check(tiles, path, pageSize: 4096)
            try UntrustedFile.check(path, as: .mbtiles, isThorough: true, seconds: 600)
        }
    }

    /// The bytes are the same everywhere, so their digest can be written down.
    @Test func bytesDependOnlyOnTheTiles() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles(1000, seed: 5) { $0.bytes(Int.random(in: 0...9000, using: &$0)) }
            let metadata = ["name": "Nordkette", "attribution": "© OpenStreetMap", "bounds": "11.2,47,11.6,47.3"]
            try Self.write(tiles, to: folder.path("one"), metadata)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("one"))))
            #expect(
                ContentDigest(hashing: bytes).hex == "c6464b2f358f7f43997194670eaaf3dc0960ff6771d2b8f47db33ab33ce1b874"
            )
        }
    }

    @Test func aRepeatedTileIsStoredOnce() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let sea = MapFileBytes.png + [UInt8](repeating: 3, count: 5000)
            let tiles = Self.tiles(500, seed: 2) { _ in sea }
            let path = folder.path("sea.mbtiles")
            try check(tiles, path, pageSize: 4096)
            #expect(FileStatus(path: path).map { $0.size < 40_000 } ?? false)
        }
    }

    /// A file without repeated tiles is not larger than one with a table and an index.
    @Test(arguments: [100, 3000]) func theFormCostsNothing(length: Int) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles(2000, seed: 3) { $0.bytes(length) }
            try Self.write(tiles, to: folder.path("ours"))
            let queue = try DatabaseQueue(path: folder.path("table"))
            try await queue.write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE metadata (name text, value text);
                        CREATE TABLE tiles
                            (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
                        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
                        """
                )
                for tile in tiles {
                    let (place, data) = (tile.address, Data(tile.data))
                    try database.execute(
                        sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                        arguments: [place.zoomLevel, place.column, place.southernRow, data]
                    )
                }
            }
            try queue.close()
            let sizes = ["ours", "table"].compactMap { FileStatus(path: folder.path($0))?.size }
            #expect(sizes.count == 2 && sizes[0] <= sizes[1])
        }
    }

    /// A tile is found by an index, and positions are read without the data.
    @Test func tilesAreFoundByAnIndex() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            try Self.write(Self.tiles(500, seed: 2) { $0.bytes(10) }, to: folder.path("map"))
            let queue = try DatabaseQueue(path: folder.path("map"))
            let plans = try await queue.read { database in
                try [
                    "SELECT tile_data FROM tiles WHERE zoom_level = 9 AND tile_column = 3 AND tile_row = 4",
                    "SELECT zoom_level, tile_column, tile_row FROM tiles",
                ].map { try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + $0).map { $0["detail"] as String } }
            }
            #expect(plans[0].count == 2 && plans[0].allSatisfy { $0.hasPrefix("SEARCH") })
            #expect(plans[1] == ["SCAN map"])
        }
    }

    @Test func theOrderIsChecked() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles(3, seed: 1) { $0.bytes(10) }
            var writer = MBTilesWriter(to: try OpenFile(folder.path("map"), O_RDWR | O_CREAT))
            try writer.add(tiles[1])
            // The same place again is left out.
            try writer.add(MapTile(tiles[1].address, data: [1]))
            #expect(throws: RegionStoreError.self) { try writer.add(tiles[0]) }
            try writer.add(tiles[2])
            let long = [UInt8](repeating: 0, count: MBTilesWriter.maximumTileLength + 1)
            let next = try #require(TileAddress(zoomLevel: 30, column: 0, row: 0))
            #expect(throws: RegionStoreError.self) { try writer.add(MapTile(next, data: long)) }
            try writer.finish(metadata: [:])
            #expect(try Self.read(folder.path("map")) == [tiles[1], tiles[2]])
        }
    }

    /// The page at which SQLite locks a file is left free, also in the middle of a tile.
    @Test(arguments: [2, 3, 10, 40]) func thePageOfLocksIsLeftFree(page: UInt64) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles(40, seed: 1) { $0.bytes(3000) }
            let file = try OpenFile(folder.path("map"), O_RDWR | O_CREAT)
            let position = (page - 1) * 1024 + 1
            var writer = MBTilesWriter(
                DatabasePages(to: file, pageSize: 1024, lockPosition: position, check: { _ in })
            )
            for tile in tiles { try writer.add(tile) }
            try writer.finish(metadata: [:])
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("map")))
            #expect(bytes.dropFirst(Int(position) - 1).prefix(1024).allSatisfy { $0 == 0 })
            #expect(try Self.read(folder.path("map")) == tiles)
        }
    }

    @Test func metadataOfEveryLengthAreRead() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            var metadata = ["name": "Ötztal", "format": "jpg", "json": String(repeating: "é", count: 100_000)]
            for number in 0..<200 { metadata["key\(number)"] = "" }
            let tile = MapTile(try #require(TileAddress(zoomLevel: 0, column: 0, row: 0)), data: MapFileBytes.png)
            try Self.write([tile], to: folder.path("map"), metadata)
            metadata.merge(["minzoom": "0", "maxzoom": "0", "format": "png"]) { $1 }
            let queue = try DatabaseQueue(path: folder.path("map"))
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT name, value FROM metadata") }
            #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) }) == metadata)
        }
    }
}

extension MBTilesWriterTests {
    /// Makes tiles in their order, at random places of the zoom levels from 3 to 20.
    static func tiles(
        _ count: Int,
        seed: UInt64,
        data: (inout SeededGenerator) -> [UInt8]
    ) -> [MapTile] {
        var generator = SeededGenerator(seed: seed)
        var places: Set<TileAddress> = []
        while places.count < count {
            let zoomLevel = Int.random(in: 3...20, using: &generator)
            let column = Int.random(in: 0..<1 << zoomLevel, using: &generator)
            let row = Int.random(in: 0..<1 << zoomLevel, using: &generator)
            if let place = TileAddress(zoomLevel: zoomLevel, column: column, row: row) { places.insert(place) }
        }
        return places.sorted().map { MapTile($0, data: data(&generator)) }
    }

    static func write(_ tiles: [MapTile], to path: String, _ metadata: [String: String] = [:]) throws {
        var writer = MBTilesWriter(to: try OpenFile(path, O_RDWR | O_CREAT))
        for tile in tiles { try writer.add(tile) }
        try writer.finish(metadata: metadata)
    }

    /// Reads the tiles of a file, in their order.
    static func read(_ path: String) throws -> [MapTile] {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM tiles ORDER BY zoom_level, tile_column, tile_row"
            ).compactMap { row in
                TileAddress(zoomLevel: row[0], column: row[1], southernRow: row[2])
                    .map { MapTile($0, data: [UInt8](row[3] as Data? ?? Data())) }
            }
        }
    }

    /// Writes tiles, and compares what SQLite reads.
    private func check(_ tiles: [MapTile], _ path: String, pageSize: Int) throws {
        let file = try OpenFile(path, O_RDWR | O_CREAT)
        var writer = MBTilesWriter(DatabasePages(to: file, pageSize: pageSize, check: { _ in }))
        for tile in tiles { try writer.add(tile) }
        try writer.finish(metadata: ["name": "test"])
        let findings = try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        #expect(findings == ["ok"], "\(tiles.count) tiles")
        #expect(try Self.read(path) == tiles, "\(tiles.count) tiles")
    }
}

enum MapFileBytes {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}
