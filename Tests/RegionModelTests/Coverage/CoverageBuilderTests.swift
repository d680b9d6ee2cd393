import RegionModel
import Testing

@Suite("Coverage builder")
struct CoverageBuilderTests {
    private struct Place: Hashable {
        var column: Int
        var row: Int
    }

    private func coverage(_ places: [Place], zoomLevel: Int) throws -> Coverage {
        var builder = CoverageBuilder()
        for place in places { builder.add(zoomLevel: zoomLevel, column: place.column, row: place.row) }
        return try #require(builder.coverage)
    }

    @Test func theOrderOfTheTilesDoesNotMatter() throws {
        var generator = SplitMix(state: 7)
        var places: Set<Place> = []
        for _ in 0..<40_000 {
            places.insert(
                Place(
                    column: Int.random(in: 0..<256, using: &generator),
                    row: Int.random(in: 0..<256, using: &generator)
                )
            )
        }
        let byColumns = places.sorted { ($0.column, $0.row) < ($1.column, $1.row) }
        let expected = try coverage(byColumns, zoomLevel: 8)
        #expect(try coverage(byColumns.sorted { ($0.row, $0.column) < ($1.row, $1.column) }, zoomLevel: 8) == expected)
        #expect(try coverage(byColumns.sorted { ($0.row, $0.column) > ($1.row, $1.column) }, zoomLevel: 8) == expected)
        #expect(try coverage(byColumns.shuffled(using: &generator), zoomLevel: 8) == expected)
        let level = try #require(expected.level(8))
        #expect(!level.isCoarse)
        for column in 0..<256 {
            for row in 0..<256 {
                #expect(level.contains(column: column, row: row) == places.contains(Place(column: column, row: row)))
            }
        }
    }

    @Test(arguments: [true, false])
    func aLargeRectangleIsExact(isByColumns: Bool) throws {
        var builder = CoverageBuilder()
        for one in 0..<1500 {
            for other in 0..<1500 {
                let (column, row) = isByColumns ? (one, other) : (other, one)
                builder.add(zoomLevel: 16, column: 30_000 + column, row: 20_000 + row)
            }
        }
        let level = try #require(builder.coverage?.level(16))
        #expect(level.tileCount == 2_250_000)
        #expect(level.tiles.count == 2_250_000)
        #expect(level.tiles.runs.count == 1500)
        #expect(!level.isCoarse)
    }

    /// Tiles that touch nowhere would be one run each.
    @Test func tooManyRunsAreDescribedByALowerZoomLevel() throws {
        var builder = CoverageBuilder()
        for row in 0..<600 {
            for column in 0..<600 { builder.add(zoomLevel: 20, column: 1000 + 2 * column, row: 1000 + 2 * row) }
        }
        builder.add(zoomLevel: 5, column: 1, row: 1)
        let coverage = try #require(builder.coverage)
        let level = try #require(coverage.level(20))
        #expect(level.isCoarse)
        #expect(coverage.isCoarse)
        #expect(level.tileCount == 360_000)
        #expect(level.contains(column: 1000, row: 1000))
        #expect(!level.contains(column: 5000, row: 1000))
        #expect(coverage.level(5)?.isCoarse == false)
        #expect(coverage.bytes.count <= Coverage.maximumLength)
        #expect(coverage.levels.reduce(0) { $0 + $1.tiles.runs.count } <= Coverage.maximumRunCount)
    }

    @Test func aTileThatIsThereTwiceIsCountedTwiceAndDescribedOnce() throws {
        let place = Place(column: 3, row: 3)
        let level = try #require(coverage([place, place, Place(column: 9, row: 3), place], zoomLevel: 4).level(4))
        #expect(level.tileCount == 4)
        #expect(level.tiles.count == 2)
    }

    @Test func noTilesAreNoCoverage() {
        #expect(CoverageBuilder().coverage == nil)
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
