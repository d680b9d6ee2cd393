import PeerStorage
import RegionModel

/// A map in the form of OsmAnd, Locus Map and RMaps: an SQLite file of images, `.sqlitedb`.
///
/// ``OsmAndMap``, which writes such files, describes the form. Rows count from the north, whatever `inverted_y` says: OsmAnd uses it
/// for the addresses of tiles that it loads from a server, and not for the tiles that it looks up (`SQLiteTileSource.java`). Because
/// other programs may think otherwise, a file that says it is remarkable.
enum OsmAndArchive {
    /// The columns of a tile.
    static let columns = "x, y, z, image"

    /// Opens an archive that has the table `tiles` with ``columns``.
    static func open(
        _ database: UntrustedDatabase,
        _ schema: UntrustedSchema,
        scratch: Folder
    ) throws -> ArchiveTable {
        guard schema.kinds["tiles"] == "table" else {
            throw database.invalid(
                "is a map for OsmAnd or Locus Map with a view “tiles”, which cannot be imported",
                remedy: "Create the file again with “tiles” as a plain table."
            )
        }
        func info(_ key: String) throws -> String? {
            guard schema.contains("info"), try database.hasColumns(key, of: "info") else { return nil }
            return try database.first("SELECT \(key) FROM info LIMIT 1") { $0.text(0, limit: 1000) } ?? nil
        }
        guard try info("ellipsoid").flatMap({ Int($0) }) ?? 0 != 1 else {
            throw database.invalid(
                "has tiles in an elliptical projection (EPSG:3395), not in Web Mercator (EPSG:3857)",
                remedy: "Create the map again in Web Mercator, or convert the images from which it was made with GDAL: "
                    + "gdalwarp -t_srs EPSG:3857 IMAGE.tif MAP.tif && gdal_translate -of MBTILES MAP.tif MAP.mbtiles"
            )
        }
        // As in OsmAnd: a file that does not say is of the older kind.
        let stated = try info("tilenumbering").map { $0.lowercased() == "bigplanet" } ?? true
        let isBigPlanet = try isBigPlanet(stated, database)
        return ArchiveTable(
            database: database,
            scratch: scratch,
            table: "tiles",
            position: "z, x, y",
            data: "image",
            metadata: try info("title").flatMap { $0.isEmpty ? nil : ["name": $0] } ?? [:],
            mayCountRowsFromSouth: try info("inverted_y").flatMap { Int($0) } == 1,
            address: { zoom, column, row in
                let (turned, overflow) = OsmAndMap.zoomOrigin.subtractingReportingOverflow(zoom)
                guard !overflow else { return nil }
                return TileAddress(zoomLevel: isBigPlanet ? turned : zoom, column: column, row: row)
            }
        )
    }

    /// Returns whether zoom levels are numbered as in BigPlanet.
    ///
    /// What the file states counts, unless most tiles would be beyond the edges of their zoom levels, and none with the other numbers.
    private static func isBigPlanet(_ stated: Bool, _ database: UntrustedDatabase) throws -> Bool {
        let origin = OsmAndMap.zoomOrigin
        let sql = """
            SELECT count(*), sum(max(x, y) >> (\(origin) - z) > 0), sum(max(x, y) >> z > 0)
            FROM tiles WHERE z BETWEEN 0 AND \(origin)
            """
        let counts = try database.first(sql) { row in
            (all: row.integer(0), impossible: [true: row.integer(1), false: row.integer(2)])
        }
        guard let counts, let impossible = counts.impossible[stated], impossible > counts.all / 2,
            counts.impossible[!stated] == 0
        else { return stated }
        return !stated
    }
}
