import SharingReports
import SharingTestSupport
import Testing

@testable import HikeShareCommands
@testable import PeerCore
@testable import RegionStore

@Suite struct AreaSketchTests {
    private static let large = AreaSketch.Room(columns: 80, rows: 11)

    private static func sketch(
        _ outlines: [Outline],
        _ north: Double = 1,
        _ south: Double = 0,
        _ east: Double = 1,
        _ west: Double = 0
    ) throws -> AreaSketch {
        AreaSketch(
            place: MapPlace(
                area: try #require(BoundingBox(north: north, south: south, east: east, west: west)),
                coverage: nil
            ),
            outlines: outlines
        )
    }

    /// The lines between the upper and the lower edge, without the frame.
    private static func rows(_ text: DisplayText?) throws -> [String] {
        let lines = try #require(text).string.split(separator: "\n").map(String.init)
        return lines.dropFirst().dropLast(2).map { String($0.dropFirst(3).dropLast()) }
    }

    // MARK: What is drawn

    @Test func northIsUpAndWestIsLeft() throws {
        let hike = try Sample.outline(.savedroutes, [(0.95, 0.05), (0.95, 0.06)])
        let rows = try Self.rows(try Self.sketch([hike]).text(in: Self.large, with: .ascii))
        #expect(rows.map { $0.contains("*") } == [true] + Array(repeating: false, count: 7))
        #expect(rows[0].hasPrefix("*"))
    }

    @Test func dotsAreWhereUnicodeHasThem() throws {
        // At the Equator, an area of 1° × 1° has 8 rows of 16 characters: 32 × 32 dots.
        let dots: [(x: Double, y: Double, pattern: Unicode.Scalar)] = [
            (0, 0, "⠁"), (0, 1, "⠂"), (0, 2, "⠄"), (1, 0, "⠈"), (1, 1, "⠐"), (1, 2, "⠠"), (0, 3, "⡀"), (1, 3, "⢀"),
        ]
        for dot in dots {
            let latitude = 1 - (dot.y + 0.5) / 32
            let longitude = (dot.x + 0.5) / 32
            let hike = try Sample.outline(.savedroutes, [(latitude, longitude), (latitude + 0.0001, longitude)])
            let rows = try Self.rows(try Self.sketch([hike]).text(in: Self.large, with: .braille))
            #expect(rows[0].unicodeScalars.first == dot.pattern)
        }
    }

    /// A degree of longitude is shorter far from the Equator, and a character is twice as high as it is wide.
    @Test(arguments: [0.0, 47, 60, -60]) func proportionsAreRight(latitude: Double) throws {
        let outline = try Sample.outline(.savedroutes, [(latitude, 10), (latitude + 0.1, 10.2)])
        let sketch = try Self.sketch([outline], latitude + 0.1, latitude, 10.2, 10)
        let rows = try Self.rows(sketch.text(in: Self.large, with: .braille))
        let shares: [Double: Int] = [0: 32, 47: 22, 60: 16, -60: 16]
        #expect(rows.count == 8)
        #expect(rows[0].count == shares[latitude])
    }

    @Test func aWideAreaIsLowAndALongOneNarrow() throws {
        let outline = try Sample.outline(.savedroutes, [(0.1, 0.1), (0.2, 0.2)])
        let wide = try Self.rows(try Self.sketch([outline], 1, 0, 5).text(in: Self.large, with: .braille))
        #expect(wide.count == 6)
        #expect(wide[0].count == 56)
        let long = try Self.rows(try Self.sketch([outline], 20).text(in: Self.large, with: .braille))
        #expect(long.count == 8)
        #expect(long[0].count == 4)
    }

    @Test func hikesAndPlannedRoutesDifferWithoutColors() throws {
        let line = [(0.5, 0.0), (0.5, 1.0)]
        for characters in [SketchCharacters.braille, .ascii] {
            let texts = try [ResourceKind.savedroutes, .plannedroutes].map { kind in
                try Self.rows(try Self.sketch([try Sample.outline(kind, line)]).text(in: Self.large, with: characters))
            }
            #expect(texts[0] != texts[1])
        }
        let planned = try Sample.outline(.plannedroutes, line)
        let rows = try Self.rows(try Self.sketch([planned]).text(in: Self.large, with: .braille))
        // Every third dot of 32.
        #expect(rows.joined().filter { $0 != " " } == "⠁⠈⠁⠈⠁⠈⠁⠈⠁⠈⠁")
    }

    @Test func hikesAndPlannedRoutesHaveColors() throws {
        let sketch = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: try Sample.outlines())
        let text = try #require(sketch.text(in: Self.large, with: .braille))
        let styles = Set(text.marks.map(\.kind))
        #expect(styles == [.style(.hike), .style(.plannedRoute)])
        #expect(text.stringWithStyles.contains("\u{1B}[32m──\u{1B}[0m recorded hikes"))
        #expect(text.stringWithStyles.contains("\u{1B}[35m··\u{1B}[0m planned routes"))
    }

    @Test func theLegendNamesOnlyWhatIsThere() throws {
        for outline in try Sample.outlines() {
            let sketch = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: [outline])
            let legend = try #require(sketch.text(in: Self.large, with: .ascii)).string.split(separator: "\n").last
            #expect(legend == (outline.kind == .savedroutes ? "  ** recorded hikes" : "  .. planned routes"))
        }
        let all = Array(repeating: try Sample.outlines()[0], count: Outline.maximumCount)
        let text = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: all).text(
            in: Self.large,
            with: .ascii
        )
        #expect(text?.string.hasSuffix("** recorded hikes; the 100 longest") == true)
    }

    /// The map has tiles in the north-west and in the south-east.
    private static func gaps(_ outlines: [Outline]) throws -> AreaSketch {
        var builder = CoverageBuilder()
        builder.add(zoomLevel: 9, column: 256, row: 254)
        builder.add(zoomLevel: 9, column: 257, row: 255)
        let coverage = try #require(builder.coverage)
        return AreaSketch(place: MapPlace(area: try #require(coverage.area), coverage: coverage), outlines: outlines)
    }

    @Test func placesWithoutTilesAreShaded() throws {
        let text = try #require(try Self.gaps([]).text(in: Self.large, with: .braille))
        let rows = try Self.rows(text)
        #expect(rows.count == 8)
        #expect(rows[0] == String(repeating: " ", count: 8) + String(repeating: "░", count: 8))
        #expect(rows[7] == String(repeating: "░", count: 8) + String(repeating: " ", count: 8))
        #expect(text.string.hasSuffix("  ░░ no map"))
    }

    /// A window draws the same places in cells.
    @Test func placesAreMarkedInCells() throws {
        var sketch = try Self.gaps([])
        let gaps = try #require(sketch.marks(side: 2))
        #expect(gaps.columns == 2 && gaps.rows == 2 && gaps.gaps == "0110" && gaps.changes.isEmpty)
        sketch.changes = TileSet([TileAddress(zoomLevel: 9, column: 257, row: 255)].compactMap { $0 })
        let changed = try #require(sketch.marks(side: 64))
        #expect(changed.columns == 64 && changed.changes.utf8.count == 64 * changed.rows)
        #expect(changed.changes.hasSuffix("1") && changed.changes.hasPrefix("0"))
        // Marks everywhere would say nothing.
        sketch = AreaSketch(place: MapPlace(area: sketch.place.area, coverage: nil), outlines: [])
        sketch.changes = TileSet([TileAddress(zoomLevel: 0, column: 0, row: 0)].compactMap { $0 })
        #expect(sketch.marks(side: 64) == nil)
        // A manifest may describe any area.
        for (north, south, east, west) in [
            (90.0, -90.0, 180.0, -180.0), (1e-300, 0, 1e-300, 0), (90, 89.9999, 180, -180),
        ] {
            var sketch = try Self.sketch([], north, south, east, west)
            sketch.changes = TileSet([TileAddress(zoomLevel: 9, column: 257, row: 255)].compactMap { $0 })
            #expect((sketch.marks(side: 64)?.changes.utf8.count ?? 0) <= 64 * 64)
        }
    }

    @Test func aLineIsDrawnOverPlacesWithoutTiles() throws {
        let hike = try Sample.outline(.savedroutes, [(1.35, 0.75), (1.35, 1.4)])
        let text = try #require(try Self.gaps([hike]).text(in: Self.large, with: .ascii))
        #expect(try Self.rows(text)[0].hasSuffix("********"))
        #expect(text.string.hasSuffix("  ** recorded hikes  :: no map"))
    }

    /// The tiles that differ are marked where there is no line, and those of lower zoom levels are not.
    @Test func placesThatDifferAreMarked() throws {
        let hike = try Sample.outline(.savedroutes, [(1.35, 0.05), (1.35, 1.35)])
        var sketch = try Self.gaps([hike])
        sketch.changes = TileSet(
            [(9, 257, 255), (9, 256, 254), (8, 128, 127)].compactMap {
                TileAddress(zoomLevel: $0.0, column: $0.1, row: $0.2)
            }
        )
        for (characters, mark) in [(SketchCharacters.ascii, "%"), (.braille, "▒")] {
            let text = try #require(sketch.text(in: Self.large, with: characters))
            let rows = try Self.rows(text)
            #expect(rows[7].hasSuffix(String(repeating: mark, count: 8)), "\(text.string)")
            #expect(rows[3].hasPrefix(String(repeating: mark, count: 8)) && !rows[0].contains(mark))
            #expect(text.string.contains("\(mark)\(mark) differs"))
        }
        // Marks everywhere would say nothing.
        sketch.changes = TileSet([TileAddress(zoomLevel: 0, column: 0, row: 0)].compactMap { $0 })
        #expect(try #require(sketch.text(in: Self.large, with: .ascii)).string.contains("%") == false)
    }

    @Test func changesAcross180AreMarked() throws {
        var sketch = try Self.sketch([], 1, 0, -179.5, 179.5)
        let grid = TileGrid(zoomLevel: 12)
        let places = try [179.6, -179.6].map { try #require(Coordinate(latitude: 0.9, longitude: $0)) }
        sketch.changes = TileSet(
            places.compactMap { place in
                grid.tile(at: place).flatMap { TileAddress(zoomLevel: 12, column: $0.column, row: $0.row) }
            }
        )
        let rows = try Self.rows(sketch.text(in: Self.large, with: .ascii))
        let marks = Array(rows[0])
        #expect(marks[1] == "%" && marks[marks.count - 2] == "%" && !marks[4..<12].contains("%"), "\(rows)")
    }

    @Test func anAreaAcross180IsDrawnInOnePiece() throws {
        let hike = try Sample.outline(.savedroutes, [(0.5, 179.6), (0.5, -179.6)])
        let rows = try Self.rows(try Self.sketch([hike], 1, 0, -179.5, 179.5).text(in: Self.large, with: .ascii))
        let line = try #require(rows.first { $0.contains("*") })
        #expect(line == " " + String(repeating: "*", count: 14) + " ")
    }

    // MARK: Where nothing is drawn

    @Test func nothingIsDrawnWithoutLinesInTheArea() throws {
        #expect(try Self.sketch([]).text(in: Self.large, with: .braille) == nil)
        let outside = try Sample.outline(.savedroutes, [(2, 2), (3, 3)])
        #expect(try Self.sketch([outside]).text(in: Self.large, with: .braille) == nil)
    }

    @Test func nothingIsDrawnWithoutRoom() throws {
        let sketch = AreaSketch(place: MapPlace(area: try Sample.box(), coverage: nil), outlines: try Sample.outlines())
        for (columns, rows) in [(39, 11), (80, 6), (80, 0), (80, -5), (0, 0)] {
            #expect(sketch.text(in: .init(columns: columns, rows: rows), with: .braille) == nil)
        }
        for columns in [40, 60, 200] {
            for rows in 7...13 {
                let text = try #require(sketch.text(in: .init(columns: columns, rows: rows), with: .braille))
                let lines = TextLayout(width: columns).lines(of: text)
                #expect(lines.count <= rows)
                #expect(lines.allSatisfy { $0.width <= min(columns, 60) })
            }
        }
    }

    /// A manifest may describe any area.
    @Test func anyAreaAndAnyLineCanBeDrawn() throws {
        let everywhere = try Sample.outline(.savedroutes, [(-90, -180), (90, 180), (0, 0), (-90, 180), (90, -180)])
        for (north, south, east, west) in [
            (90.0, -90.0, 180.0, -180.0), (1e-300, 0, 1e-300, 0), (90, 89.9999, 180, -180), (1, 0, 1e-4, 0),
            (1e-4, 0, 180, -180), (0.000_011, 0, 0.000_011, 0), (-89.9999, -90, 0.1, 0),
        ] {
            for characters in [SketchCharacters.braille, .ascii] {
                let sketch = try Self.sketch([everywhere], north, south, east, west)
                let text = sketch.text(in: Self.large, with: characters)
                #expect((text?.string.split(separator: "\n").count ?? 0) <= 11)
            }
        }
    }

    // MARK: Characters

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8", "TERM": "xterm-256color"], SketchCharacters.braille),
        (["LANG": "C", "LC_ALL": "C.utf8", "TERM": "xterm"], .braille),
        (["LANG": "en_US.UTF-8", "LC_CTYPE": "C", "TERM": "xterm"], .ascii),
        (["LANG": "en_US.UTF-8", "LC_ALL": "", "TERM": "xterm"], .braille),
        (["LANG": "en_US.ISO-8859-1", "TERM": "xterm"], .ascii),
        (["LANG": "en_US.UTF-8", "TERM": "dumb"], .ascii),
        (["LANG": "en_US.UTF-8", "TERM": "linux"], .ascii),
        (["LANG": "en_US.UTF-8"], .ascii),
        (["TERM": "xterm"], .ascii),
    ])
    func charactersSuitTheTerminal(environment: [String: String], characters: SketchCharacters) {
        #expect(SketchCharacters.current(environment) == characters)
    }
}
