package import PeerStorage
import RegionModel

/// A map in the form of MBTiles whose rows count from the north, or that has rows which are no tiles.
///
/// The map is written anew rather than changed in place: constraints, generated columns and indexes on expressions of its file would
/// run code of whoever made it.
package struct RewrittenMap: TileArchive {
    private let database: UntrustedDatabase
    private let scratch: Folder
    /// Whether the rows count from the north.
    private let isTurned: Bool
    /// The tiles by the numbers of their rows; nil if `tiles` is a view, or a table without such numbers.
    private let table: ArchiveTable?

    package let metadata: [String: String]

    /// Opens a map that was checked.
    ///
    /// Programs of earlier versions count rows without data, and several of one place, as tiles. Only of a table they are left out: a view
    /// may need a look at all of its rows for each tile. So the result is nil for a view whose rows need not be turned.
    package init?(_ database: UntrustedDatabase, _ map: MapDescription, isTurned: Bool, scratch: Folder) throws {
        self.database = database
        self.scratch = scratch
        self.isTurned = isTurned
        // The record of the dates of single tiles names rows that are others when they are turned.
        metadata = try MapDescription.metadata(ofCut: database).merging(map.metadata) { first, _ in first }
            .filter { !isTurned || $0.key != TileEditions.key }
        let isTable = try UntrustedSchema(of: database).kinds["tiles"] == "table"
        table =
            try isTable && database.hasColumns("rowid", of: "tiles")
            ? ArchiveTable(
                database: database,
                scratch: scratch,
                table: "tiles",
                position: "zoom_level, tile_column, tile_row",
                data: "tile_data",
                takesOnlyBlobs: true,
                address: {
                    isTurned
                        ? TileAddress(zoomLevel: $0, column: $1, row: $2)
                        : TileAddress(zoomLevel: $0, column: $1, southernRow: $2)
                }
            ) : nil
        guard isTurned || table != nil else { return nil }
    }

    package func cost() throws -> ImportCost { try ImportCost(ofDatabase: database, table: "tiles") }

    package func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        if let table { return try table.forEachTile(progress: progress, body) }
        let tiles = DiskSorter<ColumnNumber>(in: scratch)
        try MapDescription.forEachAddress(of: database) { address in
            if let turned = address.turned { try tiles.add(ColumnNumber(turned)) }
        }
        var (done, last): (Int, ColumnNumber?) = (0, nil)
        try tiles.readSorted { number in
            try progress(done, tiles.count)
            done += 1
            guard number != last, let address = number.address, let former = address.turned else { return }
            last = number
            if let tile = try database.tile(former) { try body(MapTile(address, data: tile.data)) }
        }
        return OmittedEntries()
    }
}
