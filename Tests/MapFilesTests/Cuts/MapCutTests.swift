import Foundation
import GRDB
import Glibc
import PeerStorage
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// Parts of maps.
@Suite struct MapCutTests {
    /// A route of 15 km through Andorra.
    private static let route = [
        Coordinate(latitude: 42.5063, longitude: 1.5218), Coordinate(latitude: 42.5412, longitude: 1.5011),
        Coordinate(latitude: 42.5663, longitude: 1.4839), Coordinate(latitude: 42.6012, longitude: 1.4439),
    ].compactMap { $0 }

    private static let rules: [CutRule] = [
        CutRule(along: [route]), CutRule(along: [route], within: 300),
        CutRule(along: [route], area: BoundingBox(north: 42.55, south: 42, east: 1.6, west: 1.4)),
        CutRule(area: BoundingBox(north: 42.6, south: 42.5, east: 1.6, west: 1.55)), CutRule(maximumZoom: 12),
        CutRule(along: [route, Array(route.reversed())], within: 5000, maximumZoom: 14),
    ]

    /// A cut has the tiles that the rule takes, with their bytes, and no others.
    @Test(arguments: rules.indices) func aCutHasTheTilesOfTheRule(index: Int) async throws {
        let rule = Self.rules[index]
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles()
            try MBTilesWriterTests.write(tiles, to: folder.path("map"))
            try Self.cut(folder.path("map"), rule, to: folder.path("cut"))
            var selection = try CutRule.Selection(rule)
            let expected = tiles.filter { selection.contains($0.address) && !$0.data.isEmpty }
            #expect(try MBTilesWriterTests.read(folder.path("cut")) == expected)
            #expect((1..<tiles.count).contains(expected.count))
            try UntrustedFile.check(folder.path("cut"), as: .mbtiles, isThorough: true, seconds: 600)
        }
    }

    /// The bytes do not depend on how the map is stored.
    @Test(arguments: rules.indices) func everyMachineMakesTheSameBytes(index: Int) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            let tiles = Self.tiles()
            try MBTilesWriterTests.write(tiles, to: folder.path("own"), Self.metadata)
            var generator = SeededGenerator(seed: 9)
            try Self.store(tiles.shuffled(using: &generator), folder.path("table"), pageSize: 512, type: "integer")
            try Self.store(tiles.reversed(), folder.path("text"), pageSize: 65_536, type: "text")
            for name in ["own", "table", "text"] {
                try Self.cut(folder.path(name), Self.rules[index], to: folder.path(name + ".cut"))
            }
            let cuts = try ["own", "table", "text"].map { name in
                try Data(contentsOf: URL(fileURLWithPath: folder.path(name + ".cut")))
            }
            #expect(cuts[0] == cuts[1] && cuts[0] == cuts[2])
        }
    }

    /// The file says that it is a part, also if it is cut once more, unless it has all tiles.
    @Test func aPartSaysThatItIsOne() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            try MBTilesWriterTests.write(Self.tiles(), to: folder.path("map"))
            try Self.cut(folder.path("map"), CutRule(maximumZoom: 12), to: folder.path("part"))
            try Self.cut(folder.path("part"), CutRule(maximumZoom: 30), to: folder.path("again"))
            try Self.cut(folder.path("map"), CutRule(maximumZoom: 30), to: folder.path("all"))
            let files = try ["map", "part", "again", "all"].map { name in
                try MapDescription(
                    checking: UntrustedDatabase(
                        folder.path(name),
                        .immutable,
                        within: CheckLimits(seconds: 600, memory: 64 << 20)
                    )
                )
            }
            #expect(files.map(\.isPart) == [false, true, true, false])
        }
    }

    /// The same rule takes the same of its own cut, and a narrow cut can be taken of a wide one.
    @Test func aCutOfACutIsACutOfTheMap() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            try MBTilesWriterTests.write(Self.tiles(), to: folder.path("map"), Self.metadata)
            let (wide, narrow) = (CutRule(along: [Self.route], within: 4000), CutRule(along: [Self.route], within: 500))
            try Self.cut(folder.path("map"), wide, to: folder.path("wide"))
            try Self.cut(folder.path("wide"), wide, to: folder.path("again"))
            try Self.cut(folder.path("map"), narrow, to: folder.path("narrow"))
            try Self.cut(folder.path("wide"), narrow, to: folder.path("both"))
            let bytes = try ["wide", "again", "narrow", "both"].map {
                try Data(contentsOf: URL(fileURLWithPath: folder.path($0)))
            }
            #expect(bytes[0] == bytes[1])
            #expect(bytes[2] == bytes[3])
            #expect(bytes[2].count < bytes[0].count)
        }
    }

    /// The metadata say where the cut is, and the rest is that of the map.
    @Test func metadataAreThoseOfTheMap() async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            try MBTilesWriterTests.write(Self.tiles(), to: folder.path("map"), Self.metadata)
            try Self.cut(folder.path("map"), Self.rules[3], to: folder.path("cut"))
            let queue = try DatabaseQueue(path: folder.path("cut"))
            let rows = try queue.read { try Row.fetchAll($0, sql: "SELECT name, value FROM metadata ORDER BY name") }
            let found = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as String) })
            #expect(
                found["name"] == "Andorra" && found["attribution"] == "© OpenStreetMap" && found["type"] == "overlay"
            )
            #expect(found["date"] == "2026-05-01" && found["json"] == "{}" && found["scheme"] == nil)
            #expect(found["minzoom"] == "8" && found["maxzoom"] == "15")
            let bounds = try #require(found["bounds"].flatMap(BoundingBox.init(metadata:)))
            let area = try #require(Self.rules[3].area)
            #expect(bounds.north >= area.north && bounds.south <= area.south && bounds.height < 0.13)
            #expect(bounds.west <= area.west && bounds.east >= area.east && bounds.width < 0.08)
        }
    }

    @Test(arguments: [
        CutRule(area: BoundingBox(north: 10, south: 9, east: 10, west: 9)), CutRule(maximumZoom: 3),
    ]) func aCutWithoutTilesIsRefused(rule: CutRule) async throws {
        try await TemporaryDirectory.with(isInMemory: true) { folder in
            try MBTilesWriterTests.write(Self.tiles(), to: folder.path("map"))
            #expect(throws: RegionStoreError.self) { try Self.cut(folder.path("map"), rule, to: folder.path("cut")) }
        }
    }
}

extension MapCutTests {
    private static let metadata = [
        "name": "Andorra", "attribution": "© OpenStreetMap", "bounds": "1.4,42.4,1.8,42.7", "date": "2026-05-01",
        "scheme": "tms", "type": "overlay", "json": "{}",
    ]

    /// A map of Andorra: zooms 8 to 15, one tile without data.
    private static func tiles() -> [MapTile] {
        var generator = SeededGenerator(seed: 4)
        var tiles: [MapTile] = []
        for zoomLevel in 8...15 {
            let grid = TileGrid(zoomLevel: zoomLevel)
            let corners = [(42.66, 1.41), (42.43, 1.79)].compactMap { latitude, longitude in
                Coordinate(latitude: latitude, longitude: longitude).flatMap(grid.tile)
            }
            for column in corners[0].column...corners[1].column {
                for row in (corners[0].row...corners[1].row).reversed() {
                    guard let address = TileAddress(zoomLevel: zoomLevel, column: column, row: row) else { continue }
                    let length = Int.random(in: 0...200, using: &generator)
                    tiles.append(MapTile(address, data: MapFileBytes.png + generator.bytes(length)))
                }
            }
        }
        tiles[tiles.count / 2] = MapTile(tiles[tiles.count / 2].address, data: [])
        return tiles
    }

    private static func cut(_ path: String, _ rule: CutRule, to target: String) throws {
        let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 600, memory: 64 << 20))
        try MapCut(rule, of: database).write(to: try OpenFile(target, O_RDWR | O_CREAT))
    }

    private static func store(_ tiles: [MapTile], _ path: String, pageSize: Int, type: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = \(pageSize)") }
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE metadata (name text, value text);
                    CREATE TABLE tiles (zoom_level \(type), tile_column \(type), tile_row \(type), tile_data blob);
                    """
            )
            for (name, value) in metadata {
                try database.execute(sql: "INSERT INTO metadata VALUES (?, ?)", arguments: [name, value])
            }
            for tile in tiles {
                let (place, data) = (tile.address, Data(tile.data))
                try database.execute(
                    sql: "INSERT INTO tiles VALUES (?, ?, ?, ?)",
                    arguments: [place.zoomLevel, place.column, place.southernRow, data]
                )
            }
            try database.execute(sql: "CREATE INDEX places ON tiles (tile_row, tile_column, zoom_level)")
        }
        try queue.close()
    }
}
