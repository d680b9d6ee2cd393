import Foundation
import GRDB
import PeerProtocol
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles
@testable import RegionStore

/// A map is where its tiles are, at each zoom level: after an import and at a receiver.
@Suite struct CoverageImportTests {
    /// Makes a map of tiles: for each zoom level, columns and rows, which count from the south.
    private static func map(
        _ levels: [Int: (ClosedRange<Int>, ClosedRange<Int>)],
        bounds: String? = nil,
        layout: MapFile.Layout = .tables
    ) -> MapFile {
        var tiles: [MapFile.Tile] = []
        for (zoom, (columns, rows)) in levels.sorted(by: { $0.key < $1.key }) {
            for column in columns {
                for row in rows {
                    let place = column & ((1 << zoom) - 1)
                    let data = Data(MapFile.png + Array("\(zoom)/\(place)/\(row)".utf8))
                    tiles.append(MapFile.Tile(zoomLevel: zoom, column: place, row: row, data: data))
                }
            }
        }
        return MapFile(tiles: tiles, metadata: bounds.map { [("bounds", $0)] } ?? [], layout: layout)
    }

    private struct World {
        var store: RegionStore
        var stored: StoredRegion
        var directory: TemporaryDirectory
        var region: RegionSummary { stored.region }

        func importing(_ points: [(Double, Double)]) throws -> GPXImport {
            let path = directory.path("points.gpx")
            let text = points.map { "<wpt lat='\($0.0)' lon='\($0.1)'><name>here</name></wpt>" }.joined()
            try Data("<gpx>\(text)</gpx>".utf8).write(to: URL(fileURLWithPath: path))
            return try store.importGPX(at: path, called: "points.gpx")
        }
    }

    /// Imports a map, sends it to another store, and checks that both know the same of it.
    private func with(_ map: MapFile, _ body: (World) throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            try map.write(to: directory.path("map.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let stored = try store.importMap(at: directory.path("map.mbtiles"))
            let receiver = try RegionStore(path: directory.path("receiver"))
            let source = try store.source(for: stored.region.id)
            let offered = try source.manifest.description(as: Region.self)
            #expect(offered.coverage == stored.region.coverage)
            try Transfers.run(source, to: receiver.sink())
            let received = try receiver.region(stored.region.id)
            #expect(received.boundingBox == stored.region.boundingBox)
            #expect(received.coverage == stored.region.coverage)
            #expect(received.mapDigest == stored.region.mapDigest)
            try body(World(store: store, stored: stored, directory: directory))
        }
    }

    private static let taveuni = map(
        [8: (255...256, 115...116), 9: (510...513, 230...232)],
        bounds: "179.0,-17.5,-179.0,-16"
    )

    @Test func anAreaAcross180IsAsNarrowAsItIs() async throws {
        try await with(Self.taveuni) { world in
            let area = world.region.boundingBox
            #expect(area.crosses180)
            #expect(area.west == 179 && area.east == -179)
            #expect(world.stored.oddities == MapOddities())
            #expect(try world.importing([(-16.85, 179.97), (-16.86, -179.97)]).pointsInArea == 2)
            let error = try #require(throws: RegionStoreError.self) { try world.importing([(-17, -65)]) }
            #expect(error.message.contains("outside all your maps"), "\(error)")
        }
    }

    @Test(arguments: ["179,-17.5,181,-16", "-181,-17.5,-179,-16"])
    func boundsBeyond180AreUnderstood(bounds: String) async throws {
        var map = Self.taveuni
        map.metadata = [("bounds", bounds)]
        try await with(map) { world in
            #expect(world.region.boundingBox.west == 179 && world.region.boundingBox.east == -179)
        }
    }

    @Test(arguments: [MapFile.Layout.tables, .views])
    func rowsFromTheNorthAreTurned(layout: MapFile.Layout) async throws {
        let levels = [8: (132...133, 90...90), 9: (265...267, 180...181)]
        let map = Self.map(levels, bounds: "7.0,46.3,7.9,46.8", layout: layout)
        try await with(map) { world in
            #expect(world.stored.oddities.hasTurnedRows)
            #expect(!world.stored.oddities.hasMisplacedBounds)
            #expect(world.region.boundingBox.south == 46.3)
            #expect(world.region.tileCount == 8)
            let address = try #require(TileAddress(zoomLevel: 9, column: 265, row: 180))
            let tile = try #require(try world.store.tile(address, of: world.region.id))
            #expect(String(decoding: tile.data.dropFirst(8), as: UTF8.self) == "9/265/180")
            #expect(try world.importing([(46.5, 7.4)]).pointsInArea == 1)
            // The same file again is the same map.
            #expect(try !world.store.importMap(at: world.directory.path("map.mbtiles")).isNew)
            // The person's file is as it was.
            let queue = try DatabaseQueue(path: world.directory.path("map.mbtiles"))
            #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT max(tile_row) FROM tiles") } == 181)
        }
    }

    @Test func aMapIsWhereItsTilesAreAtEachZoomLevel() async throws {
        let map = Self.map([
            8: (132...133, 165...165), 9: (265...267, 330...331), 10: (531...534, 660...662),
            11: (1063...1068, 1321...1325), 16: (34133...34133, 42352...42352),
        ])
        try await with(map) { world in
            #expect(world.region.boundingBox.width > 1)
            #expect(world.region.zooms == [8, 9, 10, 11, 16])
            let imported = try world.importing([(46.6, 7.6)])
            #expect(imported.pointsInArea == 1)
        }
    }

    @Test func zoomLevelsAreAList() async throws {
        let map = Self.map(
            [8: (133...133, 165...165), 11: (1065...1066, 1322...1323), 14: (8524...8533, 10581...10588)],
            bounds: "7.3,46.4,7.5,46.5"
        )
        try await with(map) { world in
            #expect(world.region.zooms == [8, 11, 14])
            #expect(world.region.zoomLevels == 8...14)
            let coverage = try #require(world.region.coverage)
            #expect(coverage.levels.map(\.tileCount) == [1, 4, 80])
        }
    }

    @Test func boundsOfTheWorldMakeNoWorld() async throws {
        let map = Self.map([0: (0...0, 0...0), 7: (79...81, 54...59)], bounds: "-180,-85.0511,180,85.0511")
        try await with(map) { world in
            #expect(abs(world.region.boundingBox.width - 3 * 360.0 / 128) < 1e-9)
            #expect(throws: RegionStoreError.self) { try world.importing([(46.5, 7.6)]) }
            // Iceland is no newer version of Madagascar.
            let iceland = Self.map([0: (0...0, 0...0), 7: (55...58, 91...93)], bounds: "-180,-85.0511,180,85.0511")
            try iceland.write(to: world.directory.path("iceland.mbtiles")).close()
            #expect(try world.store.prepareMap(at: world.directory.path("iceland.mbtiles")).olderVersion() == nil)
        }
    }

    @Test func boundsOfAPartHideNoTile() async throws {
        let map = Self.map([11: (1063...1067, 1321...1323)], bounds: "7.0,46.3,7.2,46.5")
        try await with(map) { world in
            #expect(abs(world.region.boundingBox.width - 5 * 360.0 / 2048) < 1e-9)
            // The second one is in a tile, but north of the stated bounds.
            let imported = try world.importing([(46.4, 7.45), (46.53, 7.45)])
            #expect(imported.pointsInArea == 2)
        }
    }

    /// Half of the tiles are missing, as on a chessboard: each of the others would be a run.
    @Test func aMapWithTooManyHolesIsDescribedCoarsely() async throws {
        var map = Self.map([5: (16...16, 21...21)])
        map.additions = [
            """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 249)
            INSERT INTO tiles SELECT 16, 33000 + a.i, 44000 + b.i, x'89504E47' FROM n a, n b WHERE (a.i + b.i) % 2 = 0
            """
        ]
        try await with(map) { world in
            let coverage = try #require(world.region.coverage)
            #expect(coverage.level(16)?.isCoarse == true)
            #expect(coverage.level(5)?.isCoarse == false)
            #expect(world.region.tileCount == 31_251)
        }
    }

    @Test func aHoleIsOutside() async throws {
        var map = Self.map([11: (1060...1069, 1321...1330)])
        map.tiles.removeAll { (1062...1067).contains($0.column) && (1323...1328).contains($0.row) }
        try await with(map) { world in
            let middle = try #require(Coordinate(latitude: 47.06, longitude: 7.25))
            #expect(world.region.boundingBox.contains(middle))
            #expect(!world.region.place.contains(middle))
        }
    }

    /// The sender says what it has; what arrives is compared.
    @Test func otherTilesThanAnnouncedAreRefused() async throws {
        let (map, other) = (Self.map([11: (1063...1067, 1321...1323)]), Self.map([11: (1063...1067, 1322...1324)]))
        try await TemporaryDirectory.with { directory in
            try map.write(to: directory.path("map.mbtiles")).close()
            try other.write(to: directory.path("other.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            let region = try store.importMap(at: directory.path("map.mbtiles")).region
            let wrong = try store.importMap(at: directory.path("other.mbtiles")).region
            try store.database.write { database in
                let sql = "UPDATE region SET coverage = ? WHERE id = ?"
                try database.execute(
                    sql: sql,
                    arguments: [Data(wrong.coverageBytes ?? []), region.id.uuidString]
                )
            }
            let receiver = try RegionStore(path: directory.path("receiver"))
            let error = try #require(throws: RegionStoreError.self) {
                try Transfers.run(try store.source(for: region.id), to: receiver.sink())
            }
            #expect(error.code == .refused)
            #expect(error.message.contains("other tiles than announced"), "\(error)")
            #expect(try receiver.regions().isEmpty)
        }
    }

    /// A store of an older version has no coverages.
    @Test func aStoreWithoutCoveragesGetsThem() async throws {
        try await with(Self.taveuni) { world in
            let sql = "UPDATE region SET coverage = NULL, west = -180, east = 180"
            try world.store.database.write { try $0.execute(sql: sql) }
            #expect(try world.store.region(world.region.id).coverage == nil)
            let reading = try RegionStore(path: world.store.path, access: .reading)
            #expect(try reading.region(world.region.id).coverage == nil)
            let opened = try RegionStore(path: world.store.path)
            let region = try opened.region(world.region.id)
            #expect(region.coverage == world.region.coverage)
            #expect(region.boundingBox.crosses180)
        }
    }
}
