/// A map: an MBTiles file, as far as a region needs to know it.
struct MBTilesFile {
    /// What the metadata say; keys as in the file.
    let metadata: [String: String]

    /// The tiles of each zoom level, the lowest first; never empty.
    let extents: [TileExtent]

    /// The tiles' format, if it could be told.
    let format: TileFormat?

    /// The number of tiles.
    var tileCount: Int { extents.reduce(0) { $0 + $1.tileCount } }

    /// The lowest and highest zoom level that has tiles.
    var zoomLevels: ClosedRange<Int> {
        (extents.first?.zoomLevel ?? 0)...(extents.last?.zoomLevel ?? 0)
    }

    /// The area that the tiles of the highest zoom level cover.
    let tiledArea: BoundingBox

    /// The area: as the metadata say unless no tile is there, else as the tiles cover it.
    var boundingBox: BoundingBox {
        guard let said = statedBounds, said.overlaps(tiledArea) else { return tiledArea }
        return said
    }

    /// The area that the metadata claim.
    var statedBounds: BoundingBox? {
        metadata["bounds"].flatMap(BoundingBox.init(metadata:))
    }

    /// How closely a file is looked at.
    enum Thoroughness {
        /// Every page and every tile's row, for files that a person brings.
        case everything
        /// What can be seen quickly, for files that a sender has checked and whose digests are right.
        case quick
    }

    /// How many rows a quick look takes in: each may be on a page of its own, which must be read.
    private static let tilesLookedAtQuickly = 1_000

    /// Opens and checks a file.
    ///
    /// - Throws: ``RegionStoreError`` if it is no acceptable map; the message names the file, and the row or key.
    init(checking database: ForeignDatabase, _ thoroughness: Thoroughness) throws {
        let schema = try ForeignSchema(of: database)
        guard schema.contains("tiles") else {
            throw Self.invalid(database, "is not a map: it has no table or view “tiles”")
        }
        if thoroughness == .everything { try database.checkPages() }
        metadata = schema.contains("metadata") ? try Self.metadata(of: database) : [:]
        extents = try Self.extents(of: database)
        guard let highest = extents.last, let area = highest.boundingBox else {
            throw Self.invalid(database, "is an empty map: it has no tiles")
        }
        tiledArea = area
        try Self.checkTiles(of: database, atMost: thoroughness == .everything ? -1 : Self.tilesLookedAtQuickly)
        format = try Self.format(of: database, at: highest, metadata: metadata)
    }

    private static func metadata(of database: ForeignDatabase) throws -> [String: String] {
        var metadata: [String: String] = [:]
        try database.query("SELECT name, value FROM metadata LIMIT 1000") { row in
            if let name = row.text(0, limit: 100), let value = row.text(1), metadata[name] == nil {
                metadata[name] = value
            }
            return true
        }
        return metadata
    }

    private static func extents(of database: ForeignDatabase) throws -> [TileExtent] {
        var extents: [TileExtent] = []
        let sql = """
            SELECT zoom_level, count(*), min(tile_column), max(tile_column), min(tile_row), max(tile_row)
            FROM tiles GROUP BY zoom_level ORDER BY zoom_level LIMIT 100
            """
        try database.query(sql) { row in
            guard (0..<6).allSatisfy({ row.isInteger($0) }) else {
                throw invalid(
                    database,
                    "has a tile at zoom \(row.text(0, limit: 50) ?? "NULL") whose column or row is not a whole number"
                )
            }
            let zoomLevel = row.integer(0)
            guard Region.possibleZoomLevels.contains(zoomLevel) else {
                throw invalid(database, "has tiles at zoom \(zoomLevel); maps have zooms 0 to 30")
            }
            // SQLite's minimum is never above its maximum, for integers.
            guard row.integer(2) <= row.integer(3), row.integer(4) <= row.integer(5),
                let extent = TileExtent(
                    zoomLevel: zoomLevel,
                    tileCount: row.integer(1),
                    columns: row.integer(2)...row.integer(3),
                    rows: row.integer(4)...row.integer(5)
                )
            else {
                throw invalid(
                    database,
                    "has a tile outside of zoom \(zoomLevel), whose columns and rows end at \((1 << zoomLevel) - 1): "
                        + "columns \(row.integer(2)) to \(row.integer(3)), rows \(row.integer(4)) to \(row.integer(5))"
                )
            }
            extents.append(extent)
            return true
        }
        return extents
    }

    private static func checkTiles(of database: ForeignDatabase, atMost limit: Int) throws {
        // The inner query gives types, never tiles: those it would copy, all of the file.
        let sql = """
            SELECT zoom, "column", "row", data
            FROM (
                SELECT zoom_level AS zoom, tile_column AS "column", tile_row AS "row", typeof(tile_data) AS data,
                    typeof(tile_column) AS columnType, typeof(tile_row) AS rowType
                FROM tiles LIMIT \(limit)
            )
            WHERE data <> 'blob' OR columnType <> 'integer' OR rowType <> 'integer'
            LIMIT 1
            """
        try database.query(sql) { row in
            let place = (0..<3).map { row.text($0, limit: 50) ?? "NULL" }
            let what = row.text(3, limit: 10) == "null" ? "NULL" : "no tile data"
            throw invalid(
                database,
                "has \(what) where a tile must be: zoom_level \(place[0]), tile_column \(place[1]), "
                    + "tile_row \(place[2])"
            )
        }
    }

    private static func format(
        of database: ForeignDatabase,
        at extent: TileExtent,
        metadata: [String: String]
    ) throws -> TileFormat? {
        let sql = "SELECT substr(tile_data, 1, 12) FROM tiles WHERE zoom_level = \(extent.zoomLevel) LIMIT 1"
        let start = try database.first(sql) { $0.bytes(0, limit: 12) } ?? []
        // Many files claim PNG and hold something else: what the tiles are counts.
        return TileFormat(tileBeginningWith: start) ?? metadata["format"].flatMap(TileFormat.init(metadata:))
    }

    private static func invalid(_ database: ForeignDatabase, _ what: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(database.name) \(what).")
    }
}

extension ForeignDatabase {
    /// Reads every page and checks that the file is in order.
    func checkPages() throws {
        try query("PRAGMA quick_check(1)") { row in
            let finding = row.text(0, limit: 500) ?? ""
            guard finding == "ok" else {
                throw RegionStoreError(
                    .invalidFile,
                    "\(name) is damaged: \(finding).",
                    remedy: "Get the file again from where it came from."
                )
            }
            return true
        }
    }
}
