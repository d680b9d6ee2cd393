/// The order of tiles in PMTiles archives: zoom level by zoom level, along a Hilbert curve.
enum HilbertCurve {
    /// Returns the tile with an id; nil if no zoom level has it.
    static func tile(_ id: UInt64) -> TileAddress? {
        guard let zoom = TileOrder.zoomLevel(of: id) else { return nil }
        var rest = id - TileOrder.first(zoomLevel: zoom)
        var (column, row): (UInt64, UInt64) = (0, 0)
        var side: UInt64 = 1
        for _ in 0..<zoom {
            // The two lowest bits of what is left say in which quarter the tile is; the quarter turns what is in it.
            let (east, south) = (rest >> 1 & 1, (rest ^ rest >> 1) & 1)
            if south == 0 {
                if east == 1 { (column, row) = (side - 1 - column, side - 1 - row) }
                swap(&column, &row)
            }
            column += side * east
            row += side * south
            rest >>= 2
            side <<= 1
        }
        return TileAddress(zoomLevel: zoom, column: Int(column), row: Int(row))
    }
}
