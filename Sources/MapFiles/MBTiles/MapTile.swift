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
