package import PeerStorage
import RegionModel

/// Writes an MBTiles file whose bytes depend only on the tiles and the metadata.
///
/// Every machine makes the same file of the same tiles, whatever its version of SQLite is, and wherever the tiles come from. So the
/// type writes the form of SQLite files itself. The memory does not grow with the tiles.
///
/// A tile that is there again is stored once: `tiles` is a view of the positions, `map`, and of the data, `images`, as many
/// programs write it. Such a file is not larger than one with a table `tiles` and an index, even if no tile is repeated, because
/// `map` is its own index.
package struct MBTilesWriter {
    /// The number of the application that the MBTiles specification recommends.
    private static let applicationID: UInt32 = 0x4D50_4258

    /// The maximum length of a tile, in bytes.
    ///
    /// A row, which has a few bytes more, must not be longer than ``UntrustedDatabase`` reads.
    package static let maximumTileLength = MapTile.maximumLength - 64

    private var pages: DatabasePages
    private var map: DatabaseTree
    private var images: DatabaseTree
    private var imageCount = 0
    private var repeated = RepeatedTiles()
    private var last: TileAddress?
    private var format: TileFormat?
    private var lowestZoom: Int?

    /// The number of tiles so far.
    package private(set) var tileCount = 0

    /// Writes to an empty file.
    package init(to file: OpenFile, check: @escaping WriteCheck = { _ in }) {
        self.init(DatabasePages(to: file, pageSize: 4096, check: check))
    }

    /// Writes to the pages of an empty file.
    init(_ pages: DatabasePages) {
        self.pages = pages
        map = DatabaseTree(.index, pageSize: pages.pageSize)
        images = DatabaseTree(.table, pageSize: pages.pageSize)
    }

    /// Whether the tables and the view of a map are those that this type writes.
    static func hasWritten(_ database: UntrustedDatabase) throws -> Bool {
        var known = 0
        try database.query("SELECT name, sql FROM sqlite_schema") { row in
            let sql = row.text(1, limit: 1000) ?? ""
            if definitions.contains(where: { row.text(0) == $0.name && sql == $0.sql }) { known += 1 }
            return true
        }
        return known == definitions.count
    }

    /// A table, or the view.
    private struct Definition {
        var type = "table"
        let name: String
        let text: String

        var sql: String { "CREATE \(type.uppercased()) \(name) \(text)" }

        /// Its row of `sqlite_schema`.
        func entry(_ root: UInt32) -> [UInt8] {
            DatabaseValue.record([.text(type), .text(name), .text(name), .integer(Int(root)), .text(sql)])
        }
    }

    private static let definitions = [
        Definition(name: "metadata", text: "(name text, value text)"),
        Definition(name: "images", text: "(tile_id integer PRIMARY KEY, tile_data blob)"),
        Definition(
            name: "map",
            text: """
                (zoom_level integer, tile_column integer, tile_row integer, tile_id integer, \
                PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID
                """
        ),
        // With LEFT JOIN, SQLite does not look at the data where only positions are asked for.
        Definition(
            type: "view",
            name: "tiles",
            text: """
                AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, \
                images.tile_data AS tile_data FROM map LEFT JOIN images ON images.tile_id = map.tile_id
                """
        ),
    ]

    /// Adds a tile.
    ///
    /// Tiles come in ascending order of zoom level, column and southern row. A further tile with the position of the last one is
    /// left out, because a map has one tile in one place.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if the order is wrong, or with
    ///   `RegionStoreError.Code.invalidFile` if the tile is longer than ``maximumTileLength``; `SystemError`.
    package mutating func add(_ tile: MapTile) throws {
        let address = tile.address
        if let last, address <= last {
            if address == last { return }
            throw RegionStoreError(.invalidArgument, "The tiles of a map do not come in their order.")
        }
        guard tile.data.count <= Self.maximumTileLength else {
            throw RegionStoreError(
                .invalidFile,
                "The tile at zoom \(address.zoomLevel), column \(address.column), row \(address.row) has more than 8 MB."
            )
        }
        last = address
        if lowestZoom == nil { lowestZoom = address.zoomLevel }
        tileCount += 1
        if format == nil { format = tile.format }
        let number = repeated.number(of: tile.data, orNew: imageCount + 1)
        if number > imageCount {
            imageCount = number
            // SQLite takes the number of the row for the first column.
            try images.add(row: number, DatabaseValue.record([.null, .bytes(tile.data)]), to: &pages)
        }
        let place = [address.zoomLevel, address.column, address.southernRow, number]
        try map.add(record: DatabaseValue.record(place.map { .integer($0) }), to: &pages)
    }

    /// Writes the metadata and whatever is not yet written.
    ///
    /// `minzoom`, `maxzoom` and, if it is known, `format` are those of the tiles.
    package mutating func finish(metadata: [String: String]) throws(SystemError) {
        var metadata = metadata
        if let lowestZoom, let last {
            metadata["minzoom"] = String(lowestZoom)
            metadata["maxzoom"] = String(last.zoomLevel)
        }
        // Tiles of MapLibre and of Mapbox begin alike, in gzip.
        if let format, metadata["format"] != "mlt" { metadata["format"] = format.rawValue }
        var table = DatabaseTree(.table, pageSize: pages.pageSize)
        let rows = metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, row) in rows.enumerated() {
            try table.add(row: index + 1, DatabaseValue.record([.text(row.key), .text(row.value)]), to: &pages)
        }
        let roots = try [table.finish(to: &pages), images.finish(to: &pages), map.finish(to: &pages), 0]
        let schema = zip(Self.definitions, roots).map { $0.entry($1) }
        let cells = schema.enumerated().map { index, record in
            DatabaseNumber.varint(UInt64(record.count)) + DatabaseNumber.varint(UInt64(index + 1)) + record
        }
        let header = DatabaseHeader.bytes(
            pageSize: pages.pageSize,
            pageCount: pages.count,
            applicationID: Self.applicationID
        )
        try pages.finish(
            first: DatabasePage.bytes(.table, lastChild: nil, cells: cells, pageSize: pages.pageSize, after: header)
        )
    }
}
