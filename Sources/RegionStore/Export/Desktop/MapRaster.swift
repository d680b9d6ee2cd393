import Glibc
package import MapFiles
import RegionModel
import TrackFiles

/// The tiles of a map as one large image in Web Mercator.
///
/// The pixels are those of the highest zoom level. Where it has no tiles, those of lower zoom levels are drawn larger. So are they
/// where GDAL would draw the image smaller by a zoom level that the map does not have, which it takes to be empty.
package struct MapRaster: Hashable, Sendable {
    /// Half the length of the equator in Web Mercator, in metres.
    static let halfWorld = 20_037_508.342789244

    /// A part of the tiles of one zoom level.
    package struct Source: Hashable, Sendable {
        /// The zoom level.
        package var zoomLevel: Int
        /// The width and height of a tile, in pixels.
        package var tileLength: Int
        /// The columns; beyond the last column of the world if the area crosses 180°.
        package var columns: ClosedRange<Int>
        /// The rows; they count from the north.
        package var rows: ClosedRange<Int>
        /// The first column and the first row of the zoom level in the file, at which GDAL begins to count pixels.
        package var origin: TileAddress
    }

    /// The zoom level of the pixels.
    package var zoomLevel: Int
    /// The columns of the image; beyond the last column of the world if the area crosses 180°.
    package var columns: ClosedRange<Int>
    /// The rows of the image; they count from the north.
    package var rows: ClosedRange<Int>
    /// The width and height of a tile of the image, in pixels.
    package var tileLength: Int
    /// What is drawn, one above the other.
    package var sources: [Source]

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
        var text = """
            <VRTDataset rasterXSize="\(width)" rasterYSize="\(height)">
              <SRS>EPSG:3857</SRS>
              <GeoTransform>\(west), \(pixelLength), 0, \(north), 0, \(-pixelLength)</GeoTransform>

            """
        for (index, color) in ["Red", "Green", "Blue", "Alpha"].enumerated() {
            text += """
                  <VRTRasterBand dataType="Byte" band="\(index + 1)">
                    <ColorInterp>\(color)</ColorInterp>

                """
            for (position, source) in sources.enumerated() {
                text += describe(source, band: index + 1, of: file, isFirst: position == 0)
            }
            text += "  </VRTRasterBand>\n"
        }
        return text + "</VRTDataset>\n"
    }

    private func describe(_ source: Source, band: Int, of file: String, isFirst: Bool) -> String {
        // What has no tiles in front must not hide what is behind it.
        let (element, mask) = isFirst ? ("SimpleSource", "") : ("ComplexSource", "<UseMaskBand>true</UseMaskBand>")
        let steps = zoomLevel - source.zoomLevel
        let world = 1 << source.zoomLevel
        let x = (source.columns.lowerBound % world - source.origin.column) * source.tileLength
        let y = (source.rows.lowerBound - source.origin.row) * source.tileLength
        let width = source.columns.count * source.tileLength
        let height = source.rows.count * source.tileLength
        let left = ((source.columns.lowerBound << steps) - columns.lowerBound) * tileLength
        let top = ((source.rows.lowerBound << steps) - rows.lowerBound) * tileLength
        let (wide, high) = ((source.columns.count << steps) * tileLength, (source.rows.count << steps) * tileLength)
        return """
                <\(element)>
                  <SourceFilename relativeToVRT="1">\(file)</SourceFilename>
                  <OpenOptions>
                    <OOI key="USE_BOUNDS">NO</OOI>
                    <OOI key="ZOOM_LEVEL">\(source.zoomLevel)</OOI>
                    <OOI key="BAND_COUNT">4</OOI>
                  </OpenOptions>
                  <SourceBand>\(band)</SourceBand>\(mask)
                  <SrcRect xOff="\(x)" yOff="\(y)" xSize="\(width)" ySize="\(height)"/>
                  <DstRect xOff="\(left)" yOff="\(top)" xSize="\(wide)" ySize="\(high)"/>
                </\(element)>

            """
    }
}

extension MapRaster {
    /// What is known of the tiles of one zoom level.
    struct Level: Hashable {
        /// Where there are tiles.
        var level: Coverage.Level
        /// The first column and the first row in the file.
        var origin: TileAddress
        /// The last column and the last row in the file.
        var end: TileAddress
        /// The beginning of a tile.
        var beginning: [UInt8]
    }

    /// The maximum number of columns or rows: with more, the numbers of pixels are too large for GDAL.
    private static let maximumTileCount = 1 << 21

    /// The usual width and height of a tile.
    private static let usualTileLength = 256

    /// Creates an image of levels of a coverage, the lowest first; nil if none of them is an own level.
    init?(_ levels: [Level], _ coverage: Coverage) {
        let shown = levels.filter { level in
            guard let extent = coverage.extent(at: level.level.zoomLevel) else { return false }
            return max(extent.columns.count, extent.rows.count) <= Self.maximumTileCount
        }
        guard let highest = shown.last, let extent = coverage.extent(at: highest.level.zoomLevel) else { return nil }
        let zoomLevel = highest.level.zoomLevel
        let sources = shown.flatMap { Self.sources(of: $0, extent.columns, zoomLevel) }
        // The image is as large as the tiles of the own levels; a coarse description may reach farther.
        let own = sources.filter { source in coverage.ownLevels.contains { $0.zoomLevel == source.zoomLevel } }
        guard !own.isEmpty else { return nil }
        func range(_ of: (Source) -> ClosedRange<Int>) -> ClosedRange<Int> {
            let ranges = own.map { source -> ClosedRange<Int> in
                let steps = zoomLevel - source.zoomLevel
                return (of(source).lowerBound << steps)...(((of(source).upperBound + 1) << steps) - 1)
            }
            let low = ranges.map(\.lowerBound).min() ?? 0
            return low...max(low, ranges.map(\.upperBound).max() ?? 0)
        }
        self.init(
            zoomLevel: zoomLevel,
            columns: range(\.columns),
            rows: range(\.rows),
            tileLength: Self.length(ofTileBeginningWith: highest.beginning),
            sources: sources
        )
    }

    /// Returns the levels of a coverage that an image needs: its own levels, and those below a zoom level without tiles.
    static func levels(of coverage: Coverage) -> [Coverage.Level] {
        coverage.levels.filter { level in
            coverage.level(level.zoomLevel + 1) == nil || coverage.ownLevels.contains(level)
        }
    }

    /// Returns all of a level: one part, or two if the area crosses 180°.
    private static func sources(of level: Level, _ columns: ClosedRange<Int>, _ zoomLevel: Int) -> [Source] {
        let steps = zoomLevel - level.level.zoomLevel
        let world = 1 << level.level.zoomLevel
        let (first, last) = (columns.lowerBound >> steps, columns.upperBound >> steps)
        func source(_ columns: ClosedRange<Int>) -> Source {
            Source(
                zoomLevel: level.level.zoomLevel,
                tileLength: length(ofTileBeginningWith: level.beginning),
                columns: columns,
                rows: level.origin.row...max(level.origin.row, level.end.row),
                origin: level.origin
            )
        }
        guard last >= world, first < world else {
            return [source(level.origin.column...max(level.origin.column, level.end.column))]
        }
        // Behind 180°, columns begin again, but the image goes on.
        let beyond = level.origin.column + world
        return [source(first...max(first, level.end.column)), source(beyond...max(beyond, last))]
    }

    /// The width of an image; images whose width is unknown, or of no map, are taken to have the usual one.
    static func length(ofTileBeginningWith bytes: [UInt8]) -> Int {
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
        longitude = box.middleLongitude
        let width = box.width / 360
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
