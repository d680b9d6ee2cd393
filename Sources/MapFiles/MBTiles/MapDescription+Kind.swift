package import RegionModel

extension UntrustedDatabase {
    /// Reads every page and checks the integrity of the file.
    package func checkPages() throws {
        try queryPages { row in
            let finding = row.text(0, limit: 500) ?? ""
            guard finding == "ok" else {
                throw RegionStoreError(
                    .invalidFile,
                    "\(name) is damaged: \(finding).",
                    remedy: "Get a new copy of the file."
                )
            }
            return true
        }
    }
}

/// What tells a map from other SQLite files.
extension MapDescription {
    static let columns = "zoom_level, tile_column, tile_row, tile_data"

    /// Checks that a file is an MBTiles file.
    package static func checkKind(of database: UntrustedDatabase) throws {
        let schema = try UntrustedSchema(of: database)
        guard schema.contains("tiles") else {
            guard schema.contains("routing_nodes") else {
                throw database.invalid("is not a map: it has no table or view “tiles”")
            }
            throw database.invalid(
                "is a routing database, not a map",
                remedy: "Import it together with its map, as the routing database of that map."
            )
        }
        guard try database.hasColumns(columns, of: "tiles") else {
            throw database.invalid(
                "is not a map in the form of MBTiles: its “tiles” lack one of the columns \(columns)"
            )
        }
    }
}

extension UntrustedFile {
    /// Checks that a tile of a map that is imported can be found in little time and memory, as the page of the map does.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if it cannot be found.
    package static func checkFinding(
        _ level: Coverage.Level,
        in path: String,
        called name: String,
        _ limits: CheckLimits = .oneImportedTile
    ) throws {
        let steps = level.zoomLevel - level.detail
        guard let run = level.tiles.runs.last,
            let address = TileAddress(zoomLevel: level.zoomLevel, column: run.last << steps, row: run.row << steps)
        else { return }
        do {
            _ = try UntrustedDatabase(path, .immutable, called: name, within: limits).tile(address)
        } catch var error as RegionStoreError where error.isReachedLimit {
            error.message =
                "\(name) cannot be used: finding one of its tiles takes too much time or memory, probably without an index."
            throw error
        }
    }
}
