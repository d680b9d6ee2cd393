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

/// The order in MBTiles files: by zoom level, column and southern row.
extension TileAddress: Comparable {
    package static func < (first: TileAddress, second: TileAddress) -> Bool {
        (first.zoomLevel, first.column, first.southernRow) < (second.zoomLevel, second.column, second.southernRow)
    }
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

    /// Creates a tile.
    package init(_ address: TileAddress, data: [UInt8]) {
        self.address = address
        self.format = TileFormat(tileBeginningWith: Array(data.prefix(12)))
        self.data = data
    }
}

extension BoundingBox {
    /// The farthest that an edge may be out of range and still be taken for one at the end of the range, in degrees.
    private static let tolerance = 0.01

    /// Reads `west,south,east,north`, the form in MBTiles and routing databases; nil if it is not a valid area.
    ///
    /// Edges slightly out of range, such as -180.0000001, are moved into the range. An area that crosses 180° has either a western
    /// edge that is greater than the eastern one, or one of them beyond 180°.
    init?(metadata text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3], [south, north].allSatisfy({ abs($0) < 181 }),
            [west, east].allSatisfy({ abs($0) < 540 }), east - west <= 360 + 2 * Self.tolerance
        else { return nil }
        func longitude(_ degrees: Double) -> Double {
            if abs(degrees) <= 180 + Self.tolerance { return min(180, max(-180, degrees)) }
            return degrees > 0 ? degrees - 360 : degrees + 360
        }
        self.init(north: min(90, north), south: max(-90, south), east: longitude(east), west: longitude(west))
    }
}

extension UntrustedDatabase {
    /// Reads tiles of a map, in the order of their positions in a list; tiles that are not there or have no data are left out.
    package func forEachTile(at addresses: some Sequence<TileAddress>, _ body: (MapTile) throws -> Void) throws {
        let sql = """
            SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            AND typeof(tile_data) = 'blob' AND length(tile_data) > 0 LIMIT 1
            """
        try withoutTemporaryIndexes {
            try query(sql, for: addresses, values: { [$0.zoomLevel, $0.column, $0.southernRow] }) { address, row in
                try body(MapTile(address, data: row.bytes(0, limit: MapTile.maximumLength)))
            }
        }
    }

    /// Reads the tiles of a map up to a zoom level, in the order of the file.
    package func forEachTile(
        upToZoom maximumZoom: Int,
        _ body: (MapTile) throws -> Void
    ) throws {
        // Compared as numbers, because some files store the zoom level as text.
        let sql = """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            WHERE CAST(zoom_level AS INTEGER) <= \(maximumZoom) AND typeof(tile_data) = 'blob'
            AND length(tile_data) > 0
            """
        try query(sql) { row in
            if let address = row.tileAddress {
                try body(MapTile(address, data: row.bytes(3, limit: MapTile.maximumLength)))
            }
            return true
        }
    }
}
