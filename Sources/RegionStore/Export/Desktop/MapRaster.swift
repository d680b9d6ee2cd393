import Glibc
import MapFiles
import RegionModel
import TrackFiles

/// The tiles of the highest zoom level of a map, as one large image in Web Mercator.
package struct MapRaster: Hashable, Sendable {
    /// Half the length of the equator in Web Mercator, in metres.
    static let halfWorld = 20_037_508.342789244

    /// The zoom level.
    package var zoomLevel: Int
    /// The columns that have tiles.
    package var columns: ClosedRange<Int>
    /// The rows that have tiles; they count from the north.
    package var rows: ClosedRange<Int>
    /// The width and height of a tile, in pixels.
    package var tileLength: Int

    /// The width of the image, in pixels.
    var width: Int { columns.count * tileLength }
    /// The height of the image, in pixels.
    var height: Int { rows.count * tileLength }
    /// The width of a pixel, in metres of Web Mercator.
    var pixelLength: Double { tileSize / Double(tileLength) }
    /// The western edge, in metres of Web Mercator.
    var west: Double { Double(columns.lowerBound) * tileSize - Self.halfWorld }
    /// The northern edge, in metres of Web Mercator.
    var north: Double { Self.halfWorld - Double(rows.lowerBound) * tileSize }

    private var tileSize: Double { 2 * Self.halfWorld / Double(1 << zoomLevel) }

    /// Returns a description of the image for GDAL, and so for QMapShack and QGIS: a virtual dataset (VRT).
    ///
    /// Without the options, GDAL would take the area and the zoom level from the metadata of the file, which need not be those
    /// of its tiles.
    ///
    /// - Parameter mapFile: The name of the MBTiles file in the same folder.
    /// - Returns: The content of the file.
    package func virtualDataset(of mapFile: String) -> String {
        let file = XMLText.escaped(mapFile)
        let size = #"xSize="\#(width)" ySize="\#(height)""#
        var text = """
            <VRTDataset rasterXSize="\(width)" rasterYSize="\(height)">
              <SRS>EPSG:3857</SRS>
              <GeoTransform>\(west), \(pixelLength), 0, \(north), 0, \(-pixelLength)</GeoTransform>

            """
        for (index, color) in ["Red", "Green", "Blue", "Alpha"].enumerated() {
            text += """
                  <VRTRasterBand dataType="Byte" band="\(index + 1)">
                    <ColorInterp>\(color)</ColorInterp>
                    <SimpleSource>
                      <SourceFilename relativeToVRT="1">\(file)</SourceFilename>
                      <OpenOptions>
                        <OOI key="USE_BOUNDS">NO</OOI>
                        <OOI key="ZOOM_LEVEL">\(zoomLevel)</OOI>
                        <OOI key="BAND_COUNT">4</OOI>
                      </OpenOptions>
                      <SourceBand>\(index + 1)</SourceBand>
                      <SrcRect xOff="0" yOff="0" \(size)/>
                      <DstRect xOff="0" yOff="0" \(size)/>
                    </SimpleSource>
                  </VRTRasterBand>

                """
        }
        return text + "</VRTDataset>\n"
    }
}

extension MapRaster {
    /// The usual width and height of a tile.
    private static let usualTileLength = 256

    /// Creates a description from the extent of the highest zoom level and the beginning of one of its tiles.
    init(_ level: Coverage.Level, tileBeginningWith bytes: [UInt8]) {
        self.init(
            zoomLevel: level.zoomLevel,
            columns: level.tiles.columns ?? 0...0,
            rows: level.tiles.rows ?? 0...0,
            tileLength: Self.length(ofTileBeginningWith: bytes)
        )
    }

    /// The width of an image; images whose width is unknown, or of no map, are taken to have the usual one.
    private static func length(ofTileBeginningWith bytes: [UInt8]) -> Int {
        let width = TileImage.width(ofImageBeginningWith: bytes)
        return width.map { [256, 512, 1024].contains($0) ? $0 : usualTileLength } ?? usualTileLength
    }
}

/// The part of the world that a program shows first.
struct MapView: Hashable {
    /// The size of a map in a small window, in pixels.
    private static let windowLength = 700.0

    /// The latitude of the centre, in degrees.
    var latitude: Double
    /// The longitude of the centre, in degrees.
    var longitude: Double
    /// The zoom level at which the whole area is in a small window, with tiles of 256 pixels.
    var zoomLevel: Int

    /// The length of a pixel at the equator, in metres.
    var pixelLength: Double { 2 * MapRaster.halfWorld / 256 / Double(1 << zoomLevel) }
}

extension MapView {
    /// Creates the view of an area.
    init(of box: BoundingBox) {
        latitude = (box.north + box.south) / 2
        longitude = (box.east + box.west) / 2
        let width = (box.east - box.west) / 360
        let height = (Self.mercator(box.north) - Self.mercator(box.south)) / (2 * .pi)
        let share = max(width, height, 1 / Double(1 << 20))
        zoomLevel = max(0, min(17, Int(log2(Self.windowLength / 256 / share))))
    }

    private static func mercator(_ latitude: Double) -> Double {
        // Web Mercator ends at this latitude.
        let angle = max(-85.051129, min(85.051129, latitude)) * .pi / 180
        return asinh(tan(angle))
    }
}
