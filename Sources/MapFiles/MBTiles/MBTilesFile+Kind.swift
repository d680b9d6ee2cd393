import RegionModel

/// What tells a map from other SQLite files.
extension MBTilesFile {
    /// The columns of a tile.
    private static let columns = "zoom_level, tile_column, tile_row, tile_data"

    /// Checks that a file is an MBTiles file.
    ///
    /// - Returns: The schema.
    /// - Throws: `RegionStoreError` that names the kind of the file, if it is another one.
    @discardableResult
    package static func checkKind(of database: UntrustedDatabase) throws -> UntrustedSchema {
        let schema = try UntrustedSchema(of: database)
        if schema.contains("gpkg_contents") {
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a GeoPackage, not a map in the form of MBTiles.",
                remedy: "Convert its map, for example with GDAL: gdal_translate -of MBTILES FILE.gpkg FILE.mbtiles"
            )
        }
        guard schema.contains("tiles") else {
            guard schema.contains("routing_nodes") else {
                throw invalid(database, "is not a map: it has no table or view “tiles”")
            }
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a routing database, not a map.",
                remedy: "Import it together with its map, as the routing database of that map.",
                cause: RoutingWithoutMapError()
            )
        }
        if try database.hasColumns(columns, of: "tiles") { return schema }
        guard try database.hasColumns("x, y, z, image", of: "tiles") else {
            throw invalid(
                database,
                "is not a map in the form of MBTiles: its “tiles” lack one of the columns \(columns)"
            )
        }
        throw RegionStoreError(
            .invalidFile,
            "\(database.name) is a map for OsmAnd or Locus Map, not a map in the form of MBTiles.",
            remedy: "Import the MBTiles file (.mbtiles) from which it was made."
        )
    }
}

extension UntrustedFile {
    /// Checks that a tile of a map that is imported can be found in little time and memory, as the page of the map does.
    ///
    /// - Parameters:
    ///   - extent: A zoom level of the map.
    ///   - path: The path.
    ///   - name: The name of the file in messages.
    ///   - limits: The limits on finding the tile.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if it cannot be found.
    package static func checkFinding(
        _ extent: TileExtent,
        in path: String,
        called name: String,
        _ limits: CheckLimits = .oneImportedTile
    ) throws {
        let last = (1 << extent.zoomLevel) - 1
        guard
            let address = TileAddress(
                zoomLevel: extent.zoomLevel,
                column: extent.columns.upperBound,
                row: last - extent.rows.lowerBound
            )
        else { return }
        do {
            _ = try MBTilesFile.tile(address, of: UntrustedDatabase(path, .immutable, called: name, within: limits))
        } catch var error as RegionStoreError where error.code == .storage {
            error.message =
                "\(name) cannot be used: finding one of its tiles takes too long, probably without an index."
            throw error
        }
    }
}
