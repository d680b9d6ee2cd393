import Glibc
import RegionModel

/// The position of a tile, with rows that count from the north, as in the addresses of web maps.
///
/// Rows in MBTiles files count from the south.
package struct TileAddress: Hashable, Sendable {
    /// The zoom level.
    package let zoomLevel: Int
    /// The column, which counts from the west.
    package let column: Int
    /// The row, which counts from the north.
    package let row: Int

    /// Creates a position; nil if the zoom level does not have it.
    package init?(zoomLevel: Int, column: Int, row: Int) {
        guard Region.possibleZoomLevels.contains(zoomLevel) else { return nil }
        let all = 0..<(1 << zoomLevel)
        guard all.contains(column), all.contains(row) else { return nil }
        self.zoomLevel = zoomLevel
        self.column = column
        self.row = row
    }

    /// Creates a position from a row of an MBTiles file; nil if the zoom level does not have it.
    init?(zoomLevel: Int, column: Int, southernRow: Int) {
        guard Region.possibleZoomLevels.contains(zoomLevel), (0..<(1 << zoomLevel)).contains(southernRow) else {
            return nil
        }
        self.init(zoomLevel: zoomLevel, column: column, row: (1 << zoomLevel) - 1 - southernRow)
    }

    /// The row in MBTiles files, which counts from the south.
    var southernRow: Int { (1 << zoomLevel) - 1 - row }
}

/// A tile of a map.
package struct MapTile: Hashable, Sendable {
    /// The position.
    package let address: TileAddress
    /// The format, by the first bytes; nil if it is unknown.
    package let format: TileFormat?
    /// The bytes, which are not checked any further.
    package let data: [UInt8]

    /// The maximum length of a tile, in bytes.
    static let maximumLength = 8 << 20

    init(_ address: TileAddress, data: [UInt8]) {
        self.address = address
        self.format = TileFormat(tileBeginningWith: Array(data.prefix(12)))
        self.data = data
    }
}

/// The number of tiles of one zoom level, and their ranges of columns and rows.
///
/// Rows count from the south, as in MBTiles.
package struct TileExtent: Hashable, Sendable {
    package let zoomLevel: Int
    package var tileCount: Int
    package var columns: ClosedRange<Int>
    package var rows: ClosedRange<Int>

    /// The area that the columns and rows cover.
    var boundingBox: BoundingBox? {
        let count = Double(1 << zoomLevel)
        func longitude(_ column: Int) -> Double { Double(column) / count * 360 - 180 }
        func latitude(_ row: Int) -> Double {
            atan(sinh(.pi * (2 * Double(row) / count - 1))) * 180 / .pi
        }
        return BoundingBox(
            north: latitude(rows.upperBound + 1),
            south: latitude(rows.lowerBound),
            east: longitude(columns.upperBound + 1),
            west: longitude(columns.lowerBound)
        )
    }
}

extension BoundingBox {
    /// Reads `west,south,east,north`, the form in MBTiles and routing databases; nil if it is not a valid area.
    ///
    /// Edges slightly out of range, such as -180.0000001, are moved into the range.
    init?(metadata text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3], [west, south, east, north].allSatisfy({ abs($0) < 181 })
        else { return nil }
        self.init(north: min(90, north), south: max(-90, south), east: min(180, east), west: max(-180, west))
    }
}

extension UntrustedDatabase {
    /// Returns the total size of the tiles of each zoom level of a map, in bytes.
    package func tileSizes() throws -> [Int: UInt64] {
        var sizes: [Int: UInt64] = [:]
        try query("SELECT zoom_level, tile_column, tile_row, length(tile_data) FROM tiles") { row in
            guard let zoomLevel = row.tileAddress?.zoomLevel else { return true }
            let size = UInt64(clamping: max(0, row.integer(3)))
            sizes[zoomLevel] = sizes[zoomLevel, default: 0].addingReportingOverflow(size).partialValue
            return true
        }
        return sizes
    }

    /// Reads the tiles of a map up to a zoom level, in the order of the file.
    package func forEachTile(
        upToZoom maximumZoom: Int,
        _ body: (MapTile) throws -> Void
    ) throws {
        // Compared as numbers, because some files store the zoom level as text.
        let sql = """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            WHERE CAST(zoom_level AS INTEGER) <= \(maximumZoom)
            """
        try query(sql) { row in
            if let address = row.tileAddress {
                try body(MapTile(address, data: row.bytes(3, limit: MapTile.maximumLength)))
            }
            return true
        }
    }
}
