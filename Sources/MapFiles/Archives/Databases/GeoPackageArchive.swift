import PeerStorage
import RegionModel

/// The tiles of a GeoPackage (https://www.geopackage.org/spec140/) in Web Mercator.
///
/// Its tiles are those of web maps if the grid of each zoom level is a part of the grid of web maps, whatever the numbers of the
/// zoom levels, the columns and the rows are.
enum GeoPackageArchive {
    /// Opens a file that has the table `gpkg_contents`.
    static func open(
        _ database: UntrustedDatabase,
        _ schema: UntrustedSchema,
        scratch: Folder
    ) throws -> ArchiveTable {
        let content = try content(of: database)
        guard schema.kinds[content.table.lowercased()] == "table", schema.contains("gpkg_tile_matrix"),
            schema.contains("gpkg_tile_matrix_set"), schema.contains("gpkg_spatial_ref_sys")
        else {
            throw database.invalid(
                "is a GeoPackage that lacks the table “\(content.table)” or the description of its tiles",
                remedy: "Get a new copy of the file."
            )
        }
        guard let set = try matrixSet(of: content.table, database), try isWebMercator(set.system, database) else {
            throw database.invalid(
                "is a GeoPackage whose tiles are not those of web maps (Web Mercator, EPSG:3857)",
                remedy: conversion
            )
        }
        // By the numbers that the file gives the zoom levels.
        let (grids, count) = try grids(of: content.table, from: set, database)
        guard count > 0 else {
            throw database.invalid(
                "is a GeoPackage that does not say where its tiles are: “gpkg_tile_matrix” has no rows for the "
                    + "table “\(content.table)”",
                remedy: "Create the file again, from another program if there is one."
            )
        }
        guard !grids.isEmpty else {
            throw database.invalid(
                "is a GeoPackage in Web Mercator whose tiles have other sizes or edges than those of web maps",
                remedy: conversion
            )
        }
        return ArchiveTable(
            database: database,
            scratch: scratch,
            table: content.table,
            position: "zoom_level, tile_column, tile_row",
            data: "tile_data",
            metadata: content.metadata,
            address: { zoom, column, row in grids[zoom]?.tile(column: column, row: row) }
        )
    }

    /// What the file says of its map.
    private struct Content {
        var table: String
        var metadata: [String: String] = [:]
    }

    private static func content(of database: UntrustedDatabase) throws -> Content {
        var contents: [Content] = []
        let columns = "table_name, data_type, identifier, description, last_change"
        let isWhole = try database.hasColumns(columns, of: "gpkg_contents")
        if isWhole {
            try database.query("SELECT \(columns) FROM gpkg_contents LIMIT 1000") { row in
                guard row.text(1, limit: 100)?.lowercased() == "tiles", let table = row.text(0, limit: 200) else {
                    return true
                }
                var content = Content(table: table)
                for (key, column) in [("name", 2), ("description", 3), ("modified", 4)] as [(String, CInt)] {
                    if let text = row.text(column, limit: 10_000), !text.isEmpty { content.metadata[key] = text }
                }
                contents.append(content)
                return true
            }
        }
        guard let content = contents.first else {
            throw database.invalid(
                "is a GeoPackage without a map of tiles",
                remedy: "Export a map of it as MBTiles, for example with QGIS: Generate XYZ tiles (MBTiles)."
            )
        }
        guard contents.count == 1 else {
            let names = contents.prefix(10).map { "“\($0.table)”" }.joined(separator: ", ")
            throw database.invalid(
                "is a GeoPackage with \(contents.count) maps: \(names)",
                remedy:
                    "Convert one of them with GDAL: gdal_translate -of MBTILES GPKG:FILE.gpkg:\(content.table) MAP.mbtiles"
            )
        }
        return content
    }

    /// The area that the grids of all zoom levels have in common.
    private struct MatrixSet {
        var system: Int
        var west: Double
        var north: Double
    }

    private static func matrixSet(of table: String, _ database: UntrustedDatabase) throws -> MatrixSet? {
        var set: MatrixSet?
        try database.query("SELECT table_name, srs_id, min_x, max_y FROM gpkg_tile_matrix_set LIMIT 1000") { row in
            guard row.text(0, limit: 200)?.lowercased() == table.lowercased() else { return true }
            set = MatrixSet(system: row.integer(1), west: row.number(2), north: row.number(3))
            return false
        }
        return set
    }

    /// The numbers of Web Mercator: of EPSG now and before, of GDAL before there was one, and of Esri.
    private static let webMercator = [3857, 3785, 900_913, 102_100, 102_113]

    private static func isWebMercator(_ system: Int, _ database: UntrustedDatabase) throws -> Bool {
        let sql = "SELECT organization_coordsys_id FROM gpkg_spatial_ref_sys WHERE srs_id = \(system) LIMIT 1"
        return webMercator.contains(try database.first(sql) { $0.integer(0) } ?? system)
    }

    private static func grids(
        of table: String,
        from set: MatrixSet,
        _ database: UntrustedDatabase
    ) throws -> (grids: [Int: TileMatrix], count: Int) {
        var (grids, count): ([Int: TileMatrix], Int) = ([:], 0)
        let sql = """
            SELECT table_name, zoom_level, tile_width, tile_height, pixel_x_size, pixel_y_size, matrix_width, matrix_height
            FROM gpkg_tile_matrix LIMIT 10000
            """
        try database.query(sql) { row in
            guard row.text(0, limit: 200)?.lowercased() == table.lowercased(), let zoom = row.wholeNumber(1) else {
                return true
            }
            count += 1
            let grid = TileMatrix(
                west: set.west,
                north: set.north,
                width: row.number(2) * row.number(4),
                height: row.number(3) * row.number(5),
                count: max(row.number(6), row.number(7))
            )
            if let grid { grids[zoom] = grid }
            return true
        }
        return (grids, count)
    }

    private static let conversion =
        "Convert it with GDAL: gdal_translate -of MBTILES FILE.gpkg MAP.mbtiles && gdaladdo -r average MAP.mbtiles 2 4 8 16"
}
