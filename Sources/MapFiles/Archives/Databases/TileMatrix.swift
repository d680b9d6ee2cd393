import Glibc

/// A grid of tiles that is a part of the grid of web maps at a zoom level.
struct TileMatrix: Hashable {
    /// Half of the equator in Web Mercator, in metres.
    private static let half = 20_037_508.342_789_244

    /// The part of a tile by which a grid may differ from that of web maps, because its numbers are rounded.
    private static let tolerance = 1.0 / 256

    let zoomLevel: Int
    /// The column and the row of the first tile.
    let column: Int
    let row: Int

    /// Finds the place of a grid; nil if it is not a part of the grid of web maps.
    ///
    /// The edges and sizes are in metres; `count` is the number of columns or of rows, whichever is larger.
    init?(west: Double, north: Double, width: Double, height: Double, count: Double) {
        guard [west, north, width, height, count].allSatisfy(\.isFinite), width > 0.001, width <= 3 * Self.half else {
            return nil
        }
        let zoom = log2(2 * Self.half / width).rounded()
        let side = 2 * Self.half / exp2(zoom)
        // What the last column differs by is what one tile differs by, times their number.
        let most = Self.tolerance * side / max(1, count)
        guard zoom >= 0, zoom <= 30, abs(width - side) <= most, abs(height - side) <= most else { return nil }
        let (column, row) = ((west + Self.half) / side, (Self.half - north) / side)
        guard abs(column - column.rounded()) <= Self.tolerance, abs(row - row.rounded()) <= Self.tolerance,
            let firstColumn = Int(exactly: column.rounded()), let firstRow = Int(exactly: row.rounded())
        else { return nil }
        (zoomLevel, self.column, self.row) = (Int(zoom), firstColumn, firstRow)
    }

    /// Returns a tile of the grid; nil if the zoom level does not have it.
    func tile(column: Int, row: Int) -> TileAddress? {
        let (east, wide) = self.column.addingReportingOverflow(column)
        let (south, high) = self.row.addingReportingOverflow(row)
        guard !wide, !high else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: east, row: south)
    }
}
