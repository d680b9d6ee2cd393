import Foundation
import RegionModel
import Testing

@testable import MapFiles
@testable import RegionStore

/// The files for map programs of a desktop, as text.
@Suite struct DesktopFormatTests {
    private static func raster(_ tiles: [Int: [(Int, Int)]], _ beginning: [UInt8] = []) throws -> MapRaster {
        var builder = CoverageBuilder()
        for (zoom, places) in tiles {
            for place in places { builder.add(zoomLevel: zoom, column: place.0, row: place.1) }
        }
        let coverage = try #require(builder.coverage)
        let levels = try MapRaster.levels(of: coverage).map { level in
            let (columns, rows) = (try #require(level.tiles.columns), try #require(level.tiles.rows))
            let zoom = level.zoomLevel
            return MapRaster.Level(
                level: level,
                origin: try #require(
                    TileAddress(zoomLevel: zoom, column: columns.lowerBound, row: rows.lowerBound)
                ),
                end: try #require(TileAddress(zoomLevel: zoom, column: columns.upperBound, row: rows.upperBound)),
                beginning: beginning
            )
        }
        return try #require(MapRaster(levels, coverage))
    }

    /// GDAL opens a file of this form, with the place and the size that its own program `gdalinfo` shows.
    @Test func aVirtualDatasetHasTheWholeMap() throws {
        let text = try Self.raster([2: [(1, 0), (2, 0)]]).virtualDataset(of: "a & b.mbtiles")
        #expect(text.hasPrefix(#"<VRTDataset rasterXSize="512" rasterYSize="256">"#))
        let pixel = 20_037_508.342789244 / 512
        #expect(
            text.contains(
                "<GeoTransform>\(-20_037_508.342789244 / 2), \(pixel), 0, 20037508.342789244, 0, -\(pixel)</GeoTransform>"
            )
        )
        #expect(text.components(separatedBy: #"relativeToVRT="1">a &amp; b.mbtiles<"#).count == 5)
        #expect(text.components(separatedBy: #"<OOI key="ZOOM_LEVEL">2</OOI>"#).count == 5)
        for name in ["VRTRasterBand", "SimpleSource", "OpenOptions"] {
            #expect(text.components(separatedBy: "<" + name).count == text.components(separatedBy: "</" + name).count)
        }
    }

    @Test(
        arguments: [
            (MapFile.png + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0, 0, 0, 2, 0], 512),
            (MapFile.png + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0, 0, 0, 1, 0], 256),
            // A width that no map has, a short tile and another format.
            (MapFile.png + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0xFF, 0xFF, 0xFF, 0xFF], 256),
            (MapFile.png, 256), ([], 256), ([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 2, count: 21), 256),
        ] as [([UInt8], Int)]
    )
    func aTileTellsItsSize(beginning: [UInt8], length: Int) throws {
        let raster = try Self.raster([3: [(1, 6), (1, 7)]], beginning)
        #expect(raster.tileLength == length && raster.rows == 6...7 && raster.columns == 1...1)
    }

    /// On both sides of 180°, columns are at both ends of the file, and side by side in the image.
    @Test func anImageAcross180IsInOnePiece() throws {
        let raster = try Self.raster([4: [(0, 5), (1, 5), (15, 5), (15, 6)]])
        #expect(raster.columns == 15...17 && raster.rows == 5...6)
        #expect(raster.sources.map(\.columns) == [15...15, 16...17])
        let text = raster.virtualDataset(of: "a.mbtiles")
        #expect(text.contains(#"<VRTDataset rasterXSize="768" rasterYSize="512">"#))
        #expect(text.contains(#"<SrcRect xOff="3840" yOff="0" xSize="256" ySize="512"/>"#))
        #expect(text.contains(#"<SrcRect xOff="0" yOff="0" xSize="512" ySize="512"/>"#))
        #expect(text.contains(#"<DstRect xOff="256" yOff="0" xSize="512" ySize="512"/>"#))
    }

    /// Where the highest zoom level has no tiles, those of a lower one are drawn larger.
    @Test func anImageHasTheTilesOfAllZoomLevels() throws {
        let raster = try Self.raster([3: [(1, 2), (2, 2)], 5: [(6, 9), (6, 10)]])
        #expect(raster.zoomLevel == 5 && raster.columns == 4...11 && raster.rows == 8...11)
        #expect(raster.sources.map(\.zoomLevel) == [3, 5])
        let text = raster.virtualDataset(of: "a.mbtiles")
        #expect(text.contains(#"<SrcRect xOff="0" yOff="0" xSize="512" ySize="256"/>"#))
        #expect(text.contains(#"<DstRect xOff="0" yOff="0" xSize="2048" ySize="1024"/>"#))
        #expect(text.contains(#"<SrcRect xOff="0" yOff="0" xSize="256" ySize="512"/>"#))
        #expect(text.contains(#"<DstRect xOff="512" yOff="256" xSize="256" ySize="512"/>"#))
        #expect(text.components(separatedBy: "<UseMaskBand>true</UseMaskBand>").count == 5)
    }

    /// GDAL takes a zoom level without tiles to be empty, so the next lower one is behind it.
    @Test func gapsBetweenZoomLevelsAreFilled() throws {
        let raster = try Self.raster([2: [(1, 1)], 3: [(2, 2)], 5: [(10, 10), (11, 10)]])
        #expect(raster.sources.map(\.zoomLevel) == [3, 5])
        #expect(raster.columns == 10...11 && raster.rows == 10...10)
        let text = raster.virtualDataset(of: "a.mbtiles")
        #expect(text.contains(#"<DstRect xOff="-512" yOff="-512" xSize="1024" ySize="1024"/>"#))
    }

    @Test func aProjectForVikingHasTheMap() throws {
        let view = MapView(latitude: 42.5, longitude: 1.5, zoomLevel: 13)
        let project = VikingProject(name: "Pic\nmode=9", mapPath: "/cache/a b.mbtiles", view: view).text
        let lines = project.components(separatedBy: "\n")
        #expect(lines.first == "#VIKING GPS Data file http://viking.sf.net/")
        for line in ["xmpp=16.0", "ympp=16.0", "lat=42.5", "lon=1.5", "name=Pic mode=9", "mapfile=/cache/a b.mbtiles"] {
            #expect(lines.count { $0 == line } == 1, "\(line)")
        }
        #expect(lines.filter { $0.hasPrefix("mode=") } == ["mode=mercator", "mode=23"])
        let layers = ["~TopLayer Aggregate", "~Layer Map", "~EndLayer", "~EndTopLayer"]
        #expect(lines.filter { $0.hasPrefix("~") } == layers)
    }

    @Test func settingsForQMapShackNameTheMap() throws {
        let view = MapView(latitude: 42.56, longitude: 1.5, zoomLevel: 13)
        let position =
            #""@Variant(\x0\x0\x0\x1a\x3f\x9a\xce\xe9\xf3\x7b\xeb\xd6\x3f\xe7\xc5\x1d\xf1\x7d\x3c\xa1)""#
        let text = QMapShackSettings(folder: "/cache/a", virtualDataset: "abc", view: view).text
        #expect(
            text == #"""
                [Canvas]
                mapPath="/cache/a"
                Views\Map\posFocus=\#(position)
                Views\Map\map\active=900150983cd24fb0d6963f7d28e17f72
                Views\Map\map\zoomIndex=14

                """#
        )
    }

    /// The forms of `QSettings`: codes of UTF-16, which end at the first character that is not a digit.
    @Test(
        arguments: [
            ("/a b,c;d", #""/a b,c;d""#), (#"a"b\c"#, #""a\x22\x62\x5c\x63""#), ("höhe", #""h\xf6he""#),
            ("ña", #""\xf1\x61""#), ("😀", #""\xd83d\xde00""#), ("\n", #""\xa""#),
        ]
    )
    func textsAreWrittenAsQtReadsThem(text: String, value: String) {
        #expect(QMapShackSettings.value(text) == value)
    }

    @Test(
        arguments: [
            // Andorra, the whole world, one point.
            ((42.66, 42.42, 1.79, 1.40), 11), ((89.0, -89.0, 180.0, -180.0), 1), ((42.5, 42.5, 1.5, 1.5), 17),
        ]
    )
    func aViewHasTheWholeArea(edges: (Double, Double, Double, Double), zoomLevel: Int) throws {
        let box = try #require(BoundingBox(north: edges.0, south: edges.1, east: edges.2, west: edges.3))
        let view = MapView(of: box)
        #expect(view.zoomLevel == zoomLevel)
        #expect(view.latitude == (edges.0 + edges.1) / 2 && view.longitude == (edges.2 + edges.3) / 2)
    }
}
