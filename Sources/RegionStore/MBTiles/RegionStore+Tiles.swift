package import FoundationEssentials
import Glibc
import PeerStorage

extension RegionStore {
    /// The limits for reading one tile: of processor time, in seconds, and of memory, in bytes.
    ///
    /// A map without an index needs a look at all of its tiles for each one.
    private static let tileSeconds = 2.0
    private static let tileMemory: Int64 = 16 << 20

    /// The maximum length of a tile, in bytes.
    private static let maximumTileLength = 8 << 20

    /// Returns a tile of a region's map; nil if the map does not have it.
    ///
    /// The map is found and opened each time, so the tile is that of the current map, also if another process replaces the map.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist, or if its map cannot be read.
    package func tile(_ address: TileAddress, of regionID: UUID) throws -> MapTile? {
        let database = try map(of: regionID, seconds: Self.tileSeconds)
        let sql = """
            SELECT tile_data FROM tiles WHERE zoom_level = \(address.zoomLevel)
            AND tile_column = \(address.column) AND tile_row = \(address.southernRow) LIMIT 1
            """
        return try database.first(sql) { row in
            MapTile(address, data: row.bytes(0, limit: Self.maximumTileLength))
        }
    }

    /// Returns the total size of the tiles of each zoom level of a region's map, in bytes.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist, or if its map cannot be read.
    package func tileSizes(of regionID: UUID) throws -> [Int: UInt64] {
        var sizes: [Int: UInt64] = [:]
        try map(of: regionID, seconds: nil).query("SELECT zoom_level, length(tile_data) FROM tiles") { row in
            let size = UInt64(clamping: max(0, row.integer(1)))
            sizes[row.integer(0)] = sizes[row.integer(0), default: 0].addingReportingOverflow(size).partialValue
            return true
        }
        return sizes
    }

    /// Reads the tiles of a region's map up to a zoom level, in the order of the file.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist, or if its map cannot be read; or the error of `body`.
    package func forEachTile(
        of regionID: UUID,
        upToZoom maximumZoom: Int,
        _ body: (MapTile) throws -> Void
    ) throws {
        let sql = """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles WHERE zoom_level <= \(maximumZoom)
            """
        try map(of: regionID, seconds: nil).query(sql) { row in
            let address = TileAddress(zoomLevel: row.integer(0), column: row.integer(1), southernRow: row.integer(2))
            if let address { try body(MapTile(address, data: row.bytes(3, limit: Self.maximumTileLength))) }
            return true
        }
    }

    /// Returns the extent of the highest zoom level of a region's map, and the size of its tiles.
    ///
    /// - Throws: ``RegionStoreError`` if the region does not exist, or if its map cannot be read.
    package func raster(of regionID: UUID) throws -> MapRaster {
        let database = try map(of: regionID, seconds: nil)
        let level = "zoom_level = (SELECT max(zoom_level) FROM tiles)"
        let sql = """
            SELECT zoom_level, count(*), min(tile_column), max(tile_column), min(tile_row), max(tile_row)
            FROM tiles WHERE \(level)
            """
        let extent = try database.first(sql) { row in
            let (columns, rows) = ((row.integer(2), row.integer(3)), (row.integer(4), row.integer(5)))
            guard columns.0 <= columns.1, rows.0 <= rows.1 else { return nil as TileExtent? }
            return TileExtent(
                zoomLevel: row.integer(0),
                tileCount: row.integer(1),
                columns: columns.0...columns.1,
                rows: rows.0...rows.1
            )
        }
        guard let extent = extent.flatMap({ $0 }) else {
            throw RegionStoreError(.invalidFile, "The map has no tiles that exist in its zoom levels.")
        }
        let beginning = try database.first("SELECT substr(tile_data, 1, 24) FROM tiles WHERE \(level) LIMIT 1") { row in
            row.bytes(0, limit: 24)
        }
        return MapRaster(extent, tileBeginningWith: beginning ?? [])
    }

    /// Opens the map of a region.
    ///
    /// - Parameters:
    ///   - regionID: The region.
    ///   - seconds: The maximum processor time of all queries together; nil for that of an import.
    /// - Returns: The open map.
    /// - Throws: ``RegionStoreError``.
    private func map(of regionID: UUID, seconds: Double?) throws -> UntrustedDatabase {
        let file = try database.read { try KnownFile.fetchOne(.mbtiles, of: regionID, $0) }
        guard let file else {
            throw RegionStoreError(.notFound, "There is no region \(regionID.uuidString) in this store.")
        }
        // The lock prevents the removal of the file before it is open. An open file stays readable.
        return try folders.withSharedLock {
            let path = folders.regions.path(of: regionID.uuidString) + "/" + file.fileName
            let limits = CheckLimits.importing(size: file.size)
            let opened = try UntrustedDatabase(
                path,
                .immutable,
                called: "The map",
                seconds: seconds ?? limits.seconds,
                memory: seconds == nil ? limits.memory : Self.tileMemory
            )
            return opened
        }
    }
}
