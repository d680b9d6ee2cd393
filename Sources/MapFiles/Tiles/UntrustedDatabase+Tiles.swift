import PeerProtocol
import RegionModel

/// The tiles of a map.
extension UntrustedDatabase {
    /// The condition of a row that has data; no tile is a text.
    static let hasData = "typeof(tile_data) = 'blob' AND length(tile_data) > 0"

    /// Finds a tile; nil if the map does not have it, or has no data for it.
    package func tile(_ address: TileAddress) throws -> MapTile? {
        var found: MapTile?
        try forEachTile(at: [address]) { found = $0 }
        return found
    }

    /// Reads tiles, in the order of their positions in a list; tiles that are not there or have no data are left out.
    package func forEachTile(at addresses: some Sequence<TileAddress>, _ body: (MapTile) throws -> Void) throws {
        let sql = """
            SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND \(Self.hasData) LIMIT 1
            """
        try withoutTemporaryIndexes {
            try query(sql, for: addresses, values: { [$0.zoomLevel, $0.column, $0.southernRow] }) { address, row in
                try body(MapTile(address, data: row.bytes(0, limit: MapTile.maximumLength)))
            }
        }
    }

    /// Reads the tiles of some zoom levels, in the order of the file.
    ///
    /// - Parameter strip: The rule of those that are read; nil for all.
    package func forEachTile(
        ofZooms zoomLevels: ClosedRange<Int> = Region.possibleZoomLevels,
        along strip: CutRule? = nil,
        _ body: (MapTile) throws -> Void
    ) throws {
        var selection = try strip.map { try CutRule.Selection($0) }
        // Compared as numbers, because some files store the zoom level as text.
        let zooms = "CAST(zoom_level AS INTEGER) BETWEEN \(zoomLevels.lowerBound) AND \(zoomLevels.upperBound)"
        try forEachTileRow(where: zooms) { address, row in
            guard selection?.contains(address) != false else { return true }
            try body(MapTile(address, data: row.bytes(3, limit: MapTile.maximumLength)))
            return true
        }
    }

    /// Calls `body` with the rows that have data until it returns false; the column asked for is the fourth one.
    func forEachTileRow(
        _ column: String = "tile_data",
        where condition: String = "1",
        _ body: (TileAddress, UntrustedRow) throws -> Bool
    ) throws {
        let sql = """
            SELECT zoom_level, tile_column, tile_row, \(column) FROM tiles WHERE \(condition) AND \(Self.hasData)
            """
        try query(sql) { row in try row.tileAddress.map { try body($0, row) } ?? true }
    }

    /// Returns the digests of the tiles at some places; none for places without a tile.
    func digests(at addresses: some Sequence<TileAddress>) throws -> [TileAddress: PieceDigest] {
        var digests: [TileAddress: PieceDigest] = [:]
        try forEachTile(at: addresses) { tile in
            digests[tile.address] = tile.data.withUnsafeBytes { PieceDigest(hashing: $0) }
        }
        return digests
    }
}

extension UntrustedRow {
    /// The position in the first three columns: zoom level, column and southern row; nil if no zoom level has it.
    var tileAddress: TileAddress? {
        guard let zoomLevel = wholeNumber(0), let column = wholeNumber(1), let row = wholeNumber(2) else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: column, southernRow: row)
    }

    /// The first three columns in words, if they are no position of a tile.
    var positionWords: String {
        let texts = (0..<3).map { text(CInt($0), limit: 50) ?? "NULL" }
        return "zoom \(texts[0]), column \(texts[1]), row \(texts[2])"
    }
}
