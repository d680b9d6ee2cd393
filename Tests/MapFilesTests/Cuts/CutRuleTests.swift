import Foundation
import PeerTestSupport
import RegionModel
import Testing

@testable import MapFiles

/// Which tiles a rule takes.
@Suite struct CutRuleTests {
    /// Every tile within the distance is taken, none that is twice as far, and of each tile the tiles that cover it.
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func aStripHasWhatIsNear(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let line = Self.line(&generator)
        let distance = Double.random(in: 50...20_000, using: &generator)
        let rule = CutRule(along: [line], within: distance)
        var selection = try CutRule.Selection(rule)
        for _ in 0..<300 {
            let (start, end) = Self.pieces(line).randomElement(using: &generator) ?? (line[0], line[0])
            let place = Self.between(start, end, Double.random(in: 0...1, using: &generator))
            let near = Self.move(place, by: distance * Double.random(in: 0...0.99, using: &generator), &generator)
            for zoomLevel in 0...20 {
                guard let address = Self.address(near, zoomLevel) else { continue }
                let isTaken = selection.contains(address)
                #expect(isTaken, "zoom \(zoomLevel)")
            }
            let far = Self.move(place, by: distance * Double.random(in: 2...4, using: &generator) + 1000, &generator)
            guard let address = Self.address(far, 18) else { continue }
            let nearest = Self.pieces(line).map { Self.distance(far, $0.0, $0.1) }.min() ?? 0
            let isTaken = selection.contains(address)
            #expect(!isTaken || nearest <= 2 * distance + 1000)
        }
    }

    /// A tile of a low zoom level is taken because of a tile in it.
    @Test func tilesOfLowZoomsShowThePart() throws {
        var generator = SeededGenerator(seed: 3)
        let area = BoundingBox(north: 47.3, south: 47.1, east: 11.5, west: 11.1)
        let line = [(47.2, 11.2), (47.25, 11.6), (47.5, 11.7)].compactMap {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        for rule in [CutRule(along: [line]), CutRule(area: area), CutRule(along: [line], area: area)] {
            var selection = try CutRule.Selection(rule)
            for _ in 0..<2000 {
                let place = try #require(
                    Coordinate(
                        latitude: Double.random(in: 46.8...47.8, using: &generator),
                        longitude: Double.random(in: 10.8...12, using: &generator)
                    )
                )
                for zoomLevel in 9..<16 {
                    let address = try #require(Self.address(place, zoomLevel))
                    let children = [0, 1].flatMap { column in [0, 1].map { (column, $0) } }.compactMap {
                        TileAddress(
                            zoomLevel: zoomLevel + 1,
                            column: 2 * address.column + $0.0,
                            row: 2 * address.row + $0.1
                        )
                    }
                    let taken = children.filter { selection.contains($0) }
                    let isTaken = selection.contains(address)
                    #expect(isTaken == !taken.isEmpty)
                }
            }
        }
    }

    /// A tile that only touches an edge of the area has nothing of it; one that reaches in by a hair does.
    @Test func tilesThatOnlyTouchTheAreaAreNotTaken() throws {
        let grid = TileGrid(zoomLevel: 10)
        let (north, south) = (grid.latitude(400), grid.latitude(403))
        let (west, east) = (grid.longitude(500), grid.longitude(503))
        let hair = 1e-7
        for (edges, columns, rows) in [
            ([0, 0, 0, 0], 500...502, 400...402), ([hair, 0, 0, 0], 500...502, 399...402),
            ([0, hair, 0, 0], 500...502, 400...403), ([0, 0, hair, 0], 500...503, 400...402),
            ([0, 0, 0, hair], 499...502, 400...402), ([-hair, -hair, -hair, -hair], 500...502, 400...402),
        ] as [([Double], ClosedRange<Int>, ClosedRange<Int>)] {
            let area = BoundingBox(
                north: north + edges[0],
                south: south - edges[1],
                east: east + edges[2],
                west: west - edges[3]
            )
            let tiles = AreaTiles(of: try #require(area), zoomLevel: 10)
            #expect(tiles.rows == rows && tiles.columns == [columns], "\(edges)")
        }
        // However small the area is, it lies in a tile.
        let corner = try #require(BoundingBox(north: south, south: south, east: east, west: east))
        let tiles = AreaTiles(of: corner, zoomLevel: 10)
        #expect(tiles.rows.count == 1 && tiles.columns.map(\.count) == [1])
    }

    /// Points of a line that are left out do not make the strip narrower than it is said to be, and it is not much wider.
    @Test func aThinnedLineHasTheWholeStrip() throws {
        // A point just below the tolerance beside the last one that is kept; the strip reaches as far from it.
        let distance = 16_000.0
        let metres = 1 / 111_320.0
        let line = [(0.0, 0.0), (0.0, 990.0), (0.0, 0.0)].compactMap {
            Coordinate(latitude: $0.0 * metres, longitude: $0.1 * metres)
        }
        var selection = try CutRule.Selection(CutRule(along: [line], within: distance))
        for (metresEast, isTaken) in [(distance + 900, true), (distance + 1600, false)] {
            let place = try #require(Coordinate(latitude: 0.0001, longitude: metresEast * metres))
            let isFound = selection.contains(try #require(Self.address(place, 18)))
            #expect(isFound == isTaken, "\(metresEast)")
        }
    }

    @Test(arguments: [
        (49.0, 50.0), (50, 50), (50.5, 50.5), (100_000, 100_000), (100_001, 100_000), (-1, 50), (.nan, 2000),
    ])
    func theDistanceHasBounds(wanted: Double, distance: Double) {
        #expect(CutRule(within: wanted).distance == distance)
    }

    @Test func theHighestZoomIsTaken() throws {
        var selection = try CutRule.Selection(CutRule(maximumZoom: 12))
        for (zoomLevel, isTaken) in [(11, true), (12, true), (13, false)] {
            let isFound = selection.contains(try #require(TileAddress(zoomLevel: zoomLevel, column: 7, row: 7)))
            #expect(isFound == isTaken)
        }
    }

    @Test func areasCross180() throws {
        let rule = CutRule(area: BoundingBox(north: -16, south: -18, east: -178, west: 178))
        var selection = try CutRule.Selection(rule)
        for (longitude, isTaken) in [(178.5, true), (179.99, true), (-179.99, true), (-178.5, true), (-170, false)] {
            let place = try #require(Coordinate(latitude: -17, longitude: longitude))
            let address = try #require(Self.address(place, 12))
            let isFound = selection.contains(address)
            #expect(isFound == isTaken, "\(longitude)")
        }
    }

    @Test func linesCross180() throws {
        let line = [179.9, -179.9].compactMap { Coordinate(latitude: -17, longitude: $0) }
        var selection = try CutRule.Selection(CutRule(along: [line]))
        for (longitude, isTaken) in [(179.95, true), (-179.95, true), (0, false), (179.5, false)] {
            let place = try #require(Coordinate(latitude: -17, longitude: longitude))
            let isFound = selection.contains(try #require(Self.address(place, 14)))
            #expect(isFound == isTaken, "\(longitude)")
        }
    }

    /// Lines that are made to take long are refused; long hikes are not.
    @Test func workIsBounded() throws {
        var generator = SeededGenerator(seed: 8)
        let zigzag = (0..<100_000).compactMap { _ in
            Coordinate(
                latitude: Double.random(in: -80...80, using: &generator),
                longitude: Double.random(in: -180...180, using: &generator)
            )
        }
        for distance in [50, 2000, 100_000.0] {
            #expect(throws: RegionStoreError.self) { try CutRule(along: [zigzag], within: distance).strip() }
        }
        let dense = (0..<100_000).compactMap { Coordinate(latitude: 46 + Double($0) / 20_000, longitude: 11) }
        for distance in [50, 2000, 100_000.0] {
            #expect(try CutRule(along: [dense], within: distance).strip()?.isEmpty == false)
        }
        let equator = (-180...180).compactMap { Coordinate(latitude: 0, longitude: Double($0)) }
        #expect(try CutRule(along: [equator]).strip()?.isEmpty == false)
        let poles = [-90, 90, -90].compactMap { Coordinate(latitude: $0, longitude: 0) }
        #expect(throws: Never.self) { try CutRule(along: [poles]).strip() }
    }

    @Test func distancesAreLimited() {
        #expect(CutRule(within: .nan).isWhole && CutRule(within: .infinity).distance == 100_000)
    }
}

extension CutRuleTests {
    /// A line of up to 60 km, possibly across 180°.
    private static func line(_ generator: inout SeededGenerator) -> [Coordinate] {
        var latitude = Double.random(in: -70...70, using: &generator)
        var longitude = Double.random(in: -180...180, using: &generator)
        if Bool.random(using: &generator) { longitude = 179.9 }
        return (0..<Int.random(in: 1...20, using: &generator)).compactMap { _ in
            latitude += Double.random(in: -0.02...0.02, using: &generator)
            longitude += Double.random(in: -0.05...0.05, using: &generator)
            return Coordinate(latitude: latitude, longitude: wrapped(longitude))
        }
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    private static func pieces(_ line: [Coordinate]) -> [(Coordinate, Coordinate)] {
        line.count == 1 ? [(line[0], line[0])] : Array(zip(line, line.dropFirst()))
    }

    private static func between(_ start: Coordinate, _ end: Coordinate, _ part: Double) -> Coordinate {
        let width = wrapped(end.longitude - start.longitude)
        return Coordinate(
            latitude: start.latitude + (end.latitude - start.latitude) * part,
            longitude: wrapped(start.longitude + width * part)
        ) ?? start
    }

    private static func move(_ place: Coordinate, by metres: Double, _ generator: inout SeededGenerator) -> Coordinate {
        let angle = Double.random(in: 0..<2 * .pi, using: &generator)
        let north = metres * cos(angle) / 111_320
        let east = metres * sin(angle) / 111_320 / cos(place.latitude * .pi / 180)
        return Coordinate(latitude: place.latitude + north, longitude: wrapped(place.longitude + east)) ?? place
    }

    private static func distance(_ place: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
        (0...100).map { Geodesy.distance(place, between(start, end, Double($0) / 100)) }.min() ?? 0
    }

    private static func address(_ place: Coordinate, _ zoomLevel: Int) -> TileAddress? {
        TileGrid(zoomLevel: zoomLevel).tile(at: place).flatMap {
            TileAddress(zoomLevel: zoomLevel, column: $0.column, row: $0.row)
        }
    }
}
