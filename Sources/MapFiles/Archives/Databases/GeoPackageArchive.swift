import Glibc
import PeerStorage
import RegionModel

/// The tiles of a GeoPackage (https://www.geopackage.org/spec140/) in Web Mercator.
///
/// Its tiles are those of web maps if the grid of each zoom level is a part of the grid of web maps, whatever the numbers of the
/// zoom levels, the columns and the rows are.
struct GeoPackageArchive: TileArchive {
    private let tiles: ArchiveTable
    private let scratch: Folder
    /// The grids, by the numbers that the file gives their zoom levels.
    private let grids: [Int: TileMatrix]

    let metadata: [String: String]

    /// Opens a file that has the table `gpkg_contents`.
    ///
    /// - Throws: `RegionStoreError` if it has no tiles in Web Mercator, or those of several maps.
    init(_ database: UntrustedDatabase, _ schema: UntrustedSchema, scratch: Folder) throws {
        let content = try Self.content(of: database)
        guard schema.kinds[content.table.lowercased()] == "table", schema.contains("gpkg_tile_matrix"),
            schema.contains("gpkg_tile_matrix_set"), schema.contains("gpkg_spatial_ref_sys")
        else {
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a GeoPackage that lacks the table “\(content.table)” or the description of its tiles.",
                remedy: "Get a new copy of the file."
            )
        }
        guard let set = try Self.matrixSet(of: content.table, database), try Self.isWebMercator(set.system, database)
        else { throw Self.otherProjection(database) }
        let (grids, count) = try Self.grids(of: content.table, from: set, database)
        guard count > 0 else {
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a GeoPackage that does not say where its tiles are: “gpkg_tile_matrix” has no rows for the "
                    + "table “\(content.table)”.",
                remedy: "Create the file again, from another program if there is one."
            )
        }
        guard !grids.isEmpty else { throw Self.otherGrid(database) }
        self.grids = grids
        metadata = content.metadata
        tiles = ArchiveTable(
            database: database,
            table: content.table,
            position: "zoom_level, tile_column, tile_row",
            data: "tile_data"
        )
        self.scratch = scratch
    }

    func cost() throws -> ImportCost { try tiles.cost() }

    func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        try tiles.forEachTile(
            scratch: scratch,
            address: { zoom, column, row in grids[zoom]?.tile(column: column, row: row) },
            progress: progress,
            body
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
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a GeoPackage without a map of tiles.",
                remedy: "Export a map of it as MBTiles, for example with QGIS: Generate XYZ tiles (MBTiles)."
            )
        }
        guard contents.count == 1 else {
            let names = contents.prefix(10).map { "“\($0.table)”" }.joined(separator: ", ")
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) is a GeoPackage with \(contents.count) maps: \(names).",
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

    private static func otherProjection(_ database: UntrustedDatabase) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "\(database.name) is a GeoPackage whose tiles are not those of web maps (Web Mercator, EPSG:3857).",
            remedy: conversion
        )
    }

    private static func otherGrid(_ database: UntrustedDatabase) -> RegionStoreError {
        RegionStoreError(
            .invalidFile,
            "\(database.name) is a GeoPackage in Web Mercator whose tiles have other sizes or edges than those of web maps.",
            remedy: conversion
        )
    }

    private static let conversion =
        "Convert it with GDAL: gdal_translate -of MBTILES FILE.gpkg MAP.mbtiles && gdaladdo -r average MAP.mbtiles 2 4 8 16"
}

/// A grid of tiles that is a part of the grid of web maps at a zoom level.
struct TileMatrix: Hashable {
    /// Half of the equator in Web Mercator, in metres.
    private static let half = 20_037_508.342_789_244

    /// The part of a tile by which a grid may differ from that of web maps, because its numbers are rounded.
    private static let tolerance = 1.0 / 256

    let zoomLevel: Int
    /// The column and the row of the first tile.
    let column: Int
    let row: Int

    /// Finds the place of a grid; nil if it is not a part of the grid of web maps.
    ///
    /// - Parameters:
    ///   - west: The western edge, in metres.
    ///   - north: The northern edge, in metres.
    ///   - width: The width of a tile, in metres.
    ///   - height: The height of a tile, in metres.
    ///   - count: The number of columns or of rows, whichever is larger.
    init?(west: Double, north: Double, width: Double, height: Double, count: Double) {
        guard [west, north, width, height, count].allSatisfy(\.isFinite), width > 0.001, width <= 3 * Self.half else {
            return nil
        }
        let zoom = log2(2 * Self.half / width).rounded()
        let side = 2 * Self.half / exp2(zoom)
        // What the last column differs by is what one tile differs by, times their number.
        let most = Self.tolerance * side / max(1, count)
        guard zoom >= 0, zoom <= 30, abs(width - side) <= most, abs(height - side) <= most else { return nil }
        let (column, row) = ((west + Self.half) / side, (Self.half - north) / side)
        guard abs(column - column.rounded()) <= Self.tolerance, abs(row - row.rounded()) <= Self.tolerance,
            let firstColumn = Int(exactly: column.rounded()), let firstRow = Int(exactly: row.rounded())
        else { return nil }
        (zoomLevel, self.column, self.row) = (Int(zoom), firstColumn, firstRow)
    }

    /// Returns a tile of the grid; nil if the zoom level does not have it.
    func tile(column: Int, row: Int) -> TileAddress? {
        let (east, wide) = self.column.addingReportingOverflow(column)
        let (south, high) = self.row.addingReportingOverflow(row)
        guard !wide, !high else { return nil }
        return TileAddress(zoomLevel: zoomLevel, column: east, row: south)
    }
}
