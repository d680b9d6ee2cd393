import RegionModel
import Testing

@Suite("Coverage")
struct CoverageTests {
    @Test func knowsTheTilesAtEachZoomLevel() throws {
        let coverage = try #require(Coverage.of([8: [(133, 90)], 11: [(1065, 725), (1066, 725)], 14: [(8524, 5802)]]))
        #expect(coverage.zoomLevels == [8, 11, 14])
        #expect(coverage.tileCount == 4)
        #expect(coverage.level(11)?.tileCount == 2)
        #expect(coverage.level(11)?.contains(column: 1066, row: 725) == true)
        #expect(coverage.level(11)?.contains(column: 1067, row: 725) == false)
        #expect(coverage.level(12) == nil)
        #expect(!coverage.isCoarse)
    }

    @Test func findsTheZoomLevelsAtAPlace() throws {
        let coverage = try #require(Coverage.of([8: [(133, 90)], 11: [(1066, 724)]]))
        let place = try #require(Coordinate(latitude: 46.5, longitude: 7.45))
        #expect(coverage.zoomLevels(at: place) == [8, 11])
        let far = try #require(Coordinate(latitude: 46.5, longitude: 8.0))
        #expect(coverage.zoomLevels(at: far) == [8])
        let pole = try #require(Coordinate(latitude: 89, longitude: 7.45))
        #expect(coverage.zoomLevels(at: pole).isEmpty)
    }

    /// A tile of a low zoom level that only leads to others does not tell where the map is.
    @Test func thePyramidBelowTheHighestZoomLevelIsNotTheMap() throws {
        let coverage = try #require(Coverage.of([0: [(0, 0)], 7: [(79, 70), (80, 70)]]))
        #expect(coverage.ownLevels.map(\.zoomLevel) == [7])
        let alps = try #require(Coordinate(latitude: 46.5, longitude: 8))
        #expect(!coverage.contains(alps))
        let area = try #require(coverage.area)
        #expect(abs(area.width - 2 * 360.0 / 128) < 1e-9)
    }

    @Test func aZoomLevelWithTilesOfItsOwnIsTheMapToo() throws {
        let wide = (1063...1068).flatMap { column in (722...726).map { (column, $0) } }
        let coverage = try #require(Coverage.of([10: [(531, 361), (533, 362)], 11: wide, 16: [(34133, 23183)]]))
        #expect(coverage.ownLevels.map(\.zoomLevel) == [11, 16])
        let place = try #require(Coordinate(latitude: 46.6, longitude: 7.6))
        #expect(coverage.contains(place))
        #expect(try #require(coverage.area).width > 1)
    }

    @Test func tellsAPartFromAWhole() throws {
        let whole = try #require(Coverage.of([5: [(1, 1), (2, 1)], 6: [(2, 2), (3, 2), (4, 3)]]))
        let part = try #require(Coverage.of([6: [(3, 2), (4, 3)]]))
        let other = try #require(Coverage.of([6: [(3, 2), (9, 3)]]))
        #expect(part.isPart(of: whole))
        #expect(!whole.isPart(of: part))
        #expect(!other.isPart(of: whole))
        #expect(whole.matches(whole))
        #expect(!part.matches(whole))
    }

    @Test func comparesAreas() throws {
        let one = try #require(Coverage.of([6: [(2, 2), (3, 2), (2, 3), (3, 3)]]))
        // The same area, one zoom level higher.
        let same = try #require(Coverage.of([7: (4...7).flatMap { column in (4...7).map { (column, $0) } }]))
        let half = try #require(Coverage.of([6: [(2, 2), (3, 2)]]))
        let apart = try #require(Coverage.of([6: [(4, 2)]]))
        #expect(one.commonPart(with: same) == 1)
        #expect(one.commonPart(with: half) == 0.5)
        #expect(!one.overlaps(apart))
    }

    @Test func isCountedFromTheOtherSide() throws {
        let coverage = try #require(Coverage.of([8: [(133, 165)]]))
        #expect(coverage.mirrored == Coverage.of([8: [(133, 90)]]))
        #expect(coverage.mirrored?.mirrored == coverage)
    }
}

@Suite("Coverage area")
struct CoverageAreaTests {
    @Test func crosses180IfItIsNarrowerThen() throws {
        let coverage = try #require(
            Coverage.of([9: [510, 511, 0, 1].flatMap { column in [(column, 279), (column, 280)] }])
        )
        let area = try #require(coverage.area)
        #expect(area.crosses180)
        #expect(abs(area.west - 178.59375) < 1e-9)
        #expect(abs(area.east + 178.59375) < 1e-9)
        #expect(abs(area.width - 2.8125) < 1e-9)
        let stated = try #require(BoundingBox(north: -16, south: -17.5, east: -179, west: 179))
        let narrowed = try #require(coverage.area(statedAs: stated))
        #expect(narrowed.west == 179)
        #expect(narrowed.east == -179)
        let bolivia = try #require(Coordinate(latitude: -17, longitude: -65))
        #expect(!area.contains(bolivia))
        #expect(!coverage.contains(bolivia))
        let taveuni = try #require(Coordinate(latitude: -16.85, longitude: -179.97))
        #expect(coverage.contains(taveuni))
        #expect(area.contains(taveuni))
    }

    @Test func aMapOfTheWorldDoesNotCross180() throws {
        let all = (0..<8).flatMap { column in (0..<8).map { (column, $0) } }
        let area = try #require(Coverage.of([3: all])?.area)
        #expect(!area.crosses180)
        #expect(area.width == 360)
        // One column is missing: a box that begins behind it would be narrower, but tells nothing.
        let almost = try #require(Coverage.of([3: all.filter { $0.0 != 3 }])?.area)
        #expect(almost.width == 360)
    }

    @Test func statedBoundsOnlyNarrowTheOutermostTiles() throws {
        let tiles = (1063...1067).flatMap { column in (724...726).map { (column, $0) } }
        let coverage = try #require(Coverage.of([11: tiles]))
        let tiled = try #require(coverage.area)
        // Of the first part only: the tiles in the east would be hidden.
        let part = try #require(BoundingBox(north: 46.5, south: 46.3, east: 7.2, west: 7.0))
        #expect(coverage.area(statedAs: part) == tiled)
        // They end within the outermost tiles.
        let fitting = try #require(BoundingBox(north: 46.5, south: 46.2, east: 7.7, west: 7.0))
        #expect(coverage.area(statedAs: fitting) == fitting)
        // They reach farther in the north and in the west.
        let wide = try #require(BoundingBox(north: 50, south: 46.2, east: 7.7, west: 1))
        let cut = try #require(coverage.area(statedAs: wide))
        #expect(cut.north == tiled.north && cut.south == 46.2 && cut.east == 7.7 && cut.west == tiled.west)
        let world = try #require(BoundingBox(north: 85.0511, south: -85.0511, east: 180, west: -180))
        #expect(coverage.area(statedAs: world) == tiled)
        let elsewhere = try #require(BoundingBox(north: -46, south: -47, east: 7.9, west: 7))
        #expect(coverage.isApart(from: elsewhere))
        #expect(!coverage.isApart(from: part))
        #expect(try !#require(coverage.mirrored).isApart(from: elsewhere))
    }

    @Test func findsTheTilesAlongALine() throws {
        let line = [(46.5, 7.30), (46.5, 7.50)].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        let tiles = TileRuns(along: line, within: 0, zoomLevel: 14)
        #expect(tiles.runs == [TileRun(row: 5795, first: 8524, last: 8533)])
        let wide = TileRuns(along: line, within: 2000, zoomLevel: 14)
        #expect(tiles.isSubset(of: wide))
        #expect(wide.rows == 5794...5797)
        let across = [179.99, -179.99].compactMap { Coordinate(latitude: -17, longitude: $0) }
        let both = TileRuns(along: across, within: 0, zoomLevel: 10)
        #expect(both.runs.map { [$0.first, $0.last] } == [[0, 0], [1023, 1023]])
    }
}

extension Coverage {
    /// Makes a coverage of tiles: columns, and rows from the north.
    static func of(_ tiles: [Int: [(Int, Int)]]) -> Coverage? {
        var builder = CoverageBuilder()
        for (zoom, places) in tiles {
            for (column, row) in places { builder.add(zoomLevel: zoom, column: column, row: row) }
        }
        return builder.coverage
    }
}
