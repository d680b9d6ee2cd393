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
