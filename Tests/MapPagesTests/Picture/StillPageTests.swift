import Foundation
import PeerTestSupport
import RegionStore
import Testing

@testable import MapPages

/// What an HTML file shows where scripts do not run.
@Suite struct StillPageTests {
    private static func page(of example: ExampleSite) throws -> String {
        let file = try OfflinePage(of: StoredRegionContent(example.id, in: example.store))
        var bytes: [UInt8] = []
        try file.write(file.usualSelection()) { bytes += $0 }
        let page = String(decoding: bytes, as: UTF8.self)
        let parts = page.components(separatedBy: "<noscript>")
        #expect(parts.count == 2)
        let inside = try #require(parts.last?.components(separatedBy: "</noscript>"))
        #expect(inside.count == 2)
        return try #require(inside.first)
    }

    /// The numbers on the marks of the picture.
    private static func numbers(of page: String) -> [Int] {
        page.matches(of: />([0-9]+)(?:–([0-9]+))?<\/text>/).flatMap { match in
            let first = Int(match.1) ?? 0
            return Array(first...(match.2.flatMap { Int($0) } ?? first))
        }
    }

    @Test func thereIsAPictureAndLists() async throws {
        try await TemporaryDirectory.with { directory in
            let page = try Self.page(of: ExampleSite(in: directory))
            let images = page.components(separatedBy: "<image ").dropFirst()
            #expect(images.count > 20 && images.allSatisfy { $0.contains(#"href="data:image/png;base64,iVBOR"#) })
            // Each with a white edge, and the scale.
            #expect(page.components(separatedBy: #"vector-effect="non-scaling-stroke""#).count == 5)
            // The marks have all numbers, in the order of the list.
            #expect(Self.numbers(of: page) == Array(1...46))
            #expect(page.components(separatedBy: "<circle cx=").count == 1 + 46)
            #expect(page.components(separatedBy: "<li>").count == 1 + 48)
            for text in [
                "<h1>Coma Pedrosa</h1>", "Arinsal - Pic de Comapedrosa", "8.0 km · 1486 m up", "2 km</text>",
                "© OpenStreetMap contributors", "still-profile",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(!page.contains("style=") && !page.contains("<script"))
        }
    }

    /// A file that ends at a zoom level promises no higher one of the map.
    @Test(arguments: [(highest: 14, promises: false), (15, true)])
    func noMoreIsPromisedThanTheFileHas(highest: Int, promises: Bool) async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let content = StoredRegionContent(example.id, in: example.store)
            let tiles = try #require(OfflinePage(of: content).picture(upToZoom: 14))
            #expect(tiles.zoomLevel == 14)
            var bytes: [UInt8] = []
            try content.withItems { try StillPage($0, tiles, highestZoom: highest) { bytes += $0 }.writeStart() }
            #expect(String(decoding: bytes, as: UTF8.self).contains("higher zoom levels") == promises)
        }
    }

    @Test func namesAreText() async throws {
        try await TemporaryDirectory.with { directory in
            let name = "</noscript><script>alert(1)</script><b title=\"'&"
            // With a mark, the sign is another character.
            let label = "&lt;\u{338}img src=x onerror=alert(2)&gt;"
            let gpx = try ExampleSite.gpx(#"<wpt lat="42.58" lon="1.45"><name>\#(label)</name></wpt>"#, in: directory)
            let page = try Self.page(of: ExampleSite(in: directory, gpx: [gpx], name: name))
            #expect(page.contains("&lt;/noscript&gt;&lt;script&gt;alert(1)") && page.contains("title=&quot;&#39;&amp;"))
            #expect(!page.contains("<script") && !page.contains("<b ") && !page.contains("<img"))
            #expect(!page.unicodeScalars.contains("\u{338}") || page.contains("&lt;\u{338}img"))
        }
    }

    @Test func aMapWithVectorTilesHasListsOnly() async throws {
        try await TemporaryDirectory.with { directory in
            let example = try ExampleSite(in: directory)
            let path = directory.path("v.mbtiles")
            try MapCopies.makeVector(path)
            var vector = example
            vector.id = try example.store.importMap(at: path, name: "Vector").region.id
            let page = try Self.page(of: vector)
            #expect(page.contains("Scripts draw the map") && !page.contains("<image"))
        }
    }

    /// Everything is at its place: a place in a tile is in the picture of that tile.
    @Test(arguments: [(42.58, 1.47), (-17.5, 179.9), (-17.5, -179.9), (0, 0)])
    func placesAreInTheirTiles(latitude: Double, longitude: Double) throws {
        let area = try #require(
            BoundingBox(
                north: latitude + 1,
                south: latitude - 1,
                east: longitude > 179 ? -179 : longitude + 1,
                west: longitude < -179 ? 179 : longitude - 1
            )
        )
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        for zoom in 8...14 {
            let frame = PictureFrame(area, zoomLevel: zoom)
            let tile = try #require(TileGrid(zoomLevel: zoom).tile(at: place))
            let address = try #require(TileAddress(zoomLevel: zoom, column: tile.column, row: tile.row))
            let (corner, point) = (frame.corner(of: address), frame.point(latitude: latitude, longitude: longitude))
            #expect(frame.shows(corner))
            #expect((0...frame.width).contains(point.x) && (0...frame.height).contains(point.y))
            #expect((corner.x...corner.x + 256).contains(point.x) && (corner.y...corner.y + 256).contains(point.y))
        }
    }

    @Test func aScaleIsRound() throws {
        let area = try #require(BoundingBox(north: 43, south: 42, east: 2, west: 1))
        let frame = PictureFrame(area, zoomLevel: 12)
        for points in [10.0, 50, 100, 777, 3000] {
            let metres = frame.scale(atMost: points)
            #expect(metres / frame.metresPerPoint <= points && metres / frame.metresPerPoint > points / 2.6)
            #expect(["1", "2", "5"].contains(PageWords.decimal(metres, places: 0).prefix(1)))
        }
    }

    @Test func namesDoNotCoverEachOther() {
        var places = LabelLayout()
        let results = [(0.0, 0.0), (5, 2), (20, 0), (0, 12), (19, 1)].map {
            places.take(PictureFrame.Box(left: $0.0, top: $0.1, width: 18, height: 10))
        }
        #expect(results == [true, false, true, true, false])
    }

    @Test func namesDoNotCoverMarks() {
        var places = LabelLayout(besides: [PictureFrame.Box(left: 46, top: 46, width: 8, height: 8)])
        let results = [30.0, 55].map { left in
            places.take(PictureFrame.Box(left: left, top: 45, width: 18, height: 10))
        }
        #expect(results == [false, true])
    }

    @Test func whatIsNearALineIsKnown() {
        let line = [PictureFrame.Point(x: 0, y: 0), PictureFrame.Point(x: 1000, y: 0)]
        let cells = LineCells(of: [line], side: 10, longest: 2000)
        #expect(cells.isNear(PictureFrame.Point(x: 505, y: 12)) && !cells.isNear(PictureFrame.Point(x: 505, y: 25)))
        #expect(!cells.isNear(PictureFrame.Point(x: .infinity, y: 0)))
        // Of a line that is too long, only the ends count.
        let ends = LineCells(of: [line], side: 10, longest: 500)
        #expect(ends.isNear(PictureFrame.Point(x: 999, y: 5)) && !ends.isNear(PictureFrame.Point(x: 505, y: 0)))
    }

    /// Among hundreds of waypoints, only those near a hike or route have names; those that touch each other have one mark.
    @Test func manyWaypointsDoNotCrowdThePicture() async throws {
        try await TemporaryDirectory.with { directory in
            let places = (0..<336).map {
                #"<wpt lat="\#(42.57 + Double($0 / 24) * 0.002)" lon="\#(1.44 + Double($0 % 24) * 0.0025)"><name>P\#($0)</name></wpt>"#
            }
            let far = #"<wpt lat="43.5" lon="1.5"><name>Far away</name></wpt>"#
            let gpx = try ExampleSite.gpx(places.joined() + far, in: directory)
            let page = try Self.page(of: ExampleSite(in: directory, gpx: [gpx]))
            let picture = try #require(page.components(separatedBy: "</svg>").first)
            #expect(!picture.contains(">P1</text>") && picture.components(separatedBy: "<rect ").count < 150)
            #expect(Self.numbers(of: picture) == Array(1...336))
            #expect(page.contains("A dark mark such as "))
            // The list has each of them, and what is not in the picture.
            let items = page.matches(of: /<\/svg>([0-9]+)\. P([0-9]+)<p>/)
            #expect(items.compactMap { Int($0.1) } == Array(1...336) && Set(items.map(\.2)).count == 336)
            #expect(page.contains("<h2>Waypoints outside this picture</h2>") && page.contains("337. Far away"))
        }
    }

    /// What is too much for a page is not silently missing.
    @Test func whatIsLeftOutIsSaid() async throws {
        try await TemporaryDirectory.with { directory in
            let places = (0..<MapLimits.waypoints + 46).map {
                #"<wpt lat="\#(42.57 + Double($0 % 71) * 0.0004)" lon="\#(1.44 + Double($0 % 73) * 0.0008)"/>"#
            }
            let gpx = try ExampleSite.gpx(places.joined(), in: directory)
            let page = try Self.page(of: ExampleSite(in: directory, gpx: [gpx]))
            #expect(page.contains("Only 5000 of 5046 waypoints are shown, the newest."))
            #expect(page.contains("</svg>5000. ") && !page.contains("</svg>5001. "))
        }
    }
}
