import FoundationEssentials
import PeerStorage

/// The description of a map, which is an MBTiles file.
struct MBTilesFile {
    /// The relevant metadata, by their keys in the file.
    let metadata: [String: String]

    /// The tiles of each zoom level, the lowest first; never empty.
    let extents: [TileExtent]

    /// The format of the tiles; nil if it is unknown.
    let format: TileFormat?

    /// Whether one of the examined tiles has a known format.
    let hasKnownTiles: Bool

    /// The number of tiles.
    var tileCount: Int { extents.reduce(0) { $0 + $1.tileCount } }

    /// The lowest and highest zoom level that has tiles.
    var zoomLevels: ClosedRange<Int> {
        (extents.first?.zoomLevel ?? 0)...(extents.last?.zoomLevel ?? 0)
    }

    /// The area that the tiles of the highest zoom level cover.
    let tiledArea: BoundingBox

    /// The area: the bounds in the metadata if they are valid and contain tiles, or else the area that the tiles cover.
    var boundingBox: BoundingBox {
        guard let said = statedBounds, said.north > said.south, said.east > said.west, said.overlaps(tiledArea) else {
            return tiledArea
        }
        return said
    }

    /// The bounds in the metadata; nil if they are missing or invalid.
    var statedBounds: BoundingBox? {
        metadata["bounds"].flatMap(BoundingBox.init(metadata:))
    }

    /// The date of the map in the metadata; nil if there is none.
    var date: Date? { MapDate.date(of: metadata) }

    /// The thoroughness of a check.
    enum Thoroughness {
        /// Every page and the row of every tile, for files that a person imports.
        case everything
        /// A quick check, for files that the sender has checked and whose digests match.
        case quick
    }

    /// The maximum number of rows in a quick check.
    ///
    /// Each row may be on a page of its own, which must be read.
    private static let tilesLookedAtQuickly = 1_000

    /// The number of tiles that are examined to detect the format.
    private static let tilesLookedAtForFormat = 20

    /// Opens and checks a file.
    ///
    /// - Throws: ``RegionStoreError`` if the file is not an acceptable map; the message names the file, and the row or key.
    init(checking database: UntrustedDatabase, _ thoroughness: Thoroughness) throws {
        let schema = try UntrustedSchema(of: database)
        guard schema.contains("tiles") else {
            if schema.contains("routing_nodes") {
                throw RegionStoreError(
                    .invalidFile,
                    "\(database.name) is a routing database, not a map.",
                    remedy: "Import it together with its map, as the routing database of that map.",
                    cause: RoutingWithoutMapError()
                )
            }
            throw Self.invalid(database, "is not a map: it has no table or view “tiles”")
        }
        if thoroughness == .everything { try database.checkPages() }
        metadata = schema.contains("metadata") ? try Self.metadata(of: database) : [:]
        extents = try Self.extents(of: database, thoroughness)
        guard let highest = extents.last, let area = highest.boundingBox else {
            throw Self.invalid(database, "is an empty map: it has no tiles")
        }
        tiledArea = area
        if thoroughness == .quick { try Self.checkTiles(of: database, atMost: Self.tilesLookedAtQuickly) }
        let found = try Self.format(of: database, at: highest)
        // Many files claim PNG but contain another format, so the format of the tiles counts.
        format = found ?? metadata["format"].flatMap(TileFormat.init(metadata:))
        hasKnownTiles = found != nil
    }

    /// The keys of the metadata that are kept.
    ///
    /// Other metadata can be long and many.
    private static let keys: Set<String> = Set(["name", "format", "bounds", "attribution"] + MapDate.keys)

    private static func metadata(of database: UntrustedDatabase) throws -> [String: String] {
        var metadata: [String: String] = [:]
        try database.query("SELECT name, value FROM metadata LIMIT 1000") { row in
            if let name = row.text(0, limit: 100), Self.keys.contains(name), let value = row.text(1),
                metadata[name] == nil
            {
                metadata[name] = value
            }
            return true
        }
        return metadata
    }

    /// Reads the position of every tile, without sorting, because sorting would need memory that grows with the map.
    private static func extents(
        of database: UntrustedDatabase,
        _ thoroughness: Thoroughness
    ) throws -> [TileExtent] {
        var tally = TileTally()
        var areAllTiles = true
        // Without the tile data, an index is enough if there is one.
        let check = thoroughness == .everything ? "typeof(tile_data) = 'blob'" : "1"
        try database.query("SELECT zoom_level, tile_column, tile_row, \(check) FROM tiles") { row in
            guard row.isInteger(0), row.isInteger(1), row.isInteger(2) else {
                throw invalid(
                    database,
                    "has a tile at zoom \(row.text(0, limit: 50) ?? "NULL") whose column or row is not a whole number"
                )
            }
            areAllTiles = row.integer(3) == 1
            guard tally.count(row.integer(0), column: row.integer(1), row: row.integer(2)) else {
                throw invalid(database, "has tiles at zoom \(row.integer(0)); maps have zooms 0 to 30")
            }
            return areAllTiles
        }
        if !areAllTiles { try checkTiles(of: database, atMost: -1) }
        return try tally.levels.map { level in
            guard let extent = TileExtent(level) else {
                throw invalid(
                    database,
                    "has a tile outside of zoom \(level.zoomLevel), whose columns and rows end at "
                        + "\((1 << level.zoomLevel) - 1): columns \(level.columns.lowerBound) to "
                        + "\(level.columns.upperBound), rows \(level.rows.lowerBound) to \(level.rows.upperBound)"
                )
            }
            return extent
        }
    }

    private static func checkTiles(of database: UntrustedDatabase, atMost limit: Int) throws {
        // The inner query returns types, never tiles, because it would copy the tiles.
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

    /// Returns the format of the first tiles of a zoom level; nil if it is unknown.
    private static func format(of database: UntrustedDatabase, at extent: TileExtent) throws -> TileFormat? {
        let sql = """
            SELECT substr(tile_data, 1, 12) FROM tiles WHERE zoom_level = \(extent.zoomLevel)
            LIMIT \(tilesLookedAtForFormat)
            """
        var format: TileFormat?
        try database.query(sql) { row in
            format = TileFormat(tileBeginningWith: row.bytes(0, limit: 12))
            return format == nil
        }
        return format
    }

    private static func invalid(_ database: UntrustedDatabase, _ what: String) -> RegionStoreError {
        RegionStoreError(.invalidFile, "\(database.name) \(what).")
    }
}

extension UntrustedDatabase {
    /// Reads every page and checks the integrity of the file.
    func checkPages() throws {
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
