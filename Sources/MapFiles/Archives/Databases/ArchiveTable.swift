import PeerStorage
import RegionModel

/// The tiles of a table of an SQLite file, which are found by the numbers of their rows.
///
/// An index of positions is not needed: a file without one would take too long for each tile.
struct ArchiveTable: TileArchive {
    let database: UntrustedDatabase

    /// The folder for temporary files.
    let scratch: Folder

    /// The name of the table, which must exist and is no view.
    let table: String

    /// The columns with the zoom level, the column and the row.
    let position: String

    /// The column with the data.
    let data: String

    /// Whether a text is no data, as in MBTiles.
    var takesOnlyBlobs = false

    var metadata: [String: String] = [:]
    var mayCountRowsFromSouth = false

    /// Returns the tile at a zoom level, column and row of the table; nil for none.
    let address: (_ zoom: Int, _ column: Int, _ row: Int) -> TileAddress?

    /// The table in an SQL statement.
    private var source: String {
        "\"" + table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// What the import takes at most, by the numbers of the rows.
    func cost() throws -> ImportCost { try ImportCost(ofDatabase: database, table: table) }

    func forEachTile(
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        var omitted = OmittedEntries()
        let most = try cost().tileCount ?? ArchiveLimits.tileCount
        let tiles = try sortedTiles(&omitted) { count in
            // Pages that are there more than once would have more rows than the file has bytes for.
            guard count < most else {
                throw ArchiveFault("its table has more rows than it can have").error(database.name)
            }
            try progress(count / 2, most)
        }
        var (done, last): (Int, ColumnNumber?) = (0, nil)
        try tiles.readSorted { tile in
            try progress((tiles.count + done) / 2, tiles.count)
            done += 1
            guard let address = tile.number.address else { return }
            // A map has one tile in one place. The first row counts, as in programs that look for a tile.
            guard tile.number != last else { return omitted.add("the tile \(address.name) is there more than once") }
            guard tile.length > 0 else { return omitted.add("the tile \(address.name) has no data") }
            guard tile.length <= UInt64(MBTilesWriter.maximumTileLength) else {
                return omitted.add("the tile \(address.name) has more than 8 MB")
            }
            last = tile.number
            try body(MapTile(address, data: try bytes(ofRow: Int64(bitPattern: tile.offset))))
        }
        return omitted
    }

    private func sortedTiles(
        _ omitted: inout OmittedEntries,
        progress: (_ done: Int) throws -> Void
    ) throws -> DiskSorter<ArchivedTile> {
        guard try database.hasColumns("rowid", of: source) else {
            throw database.invalid(
                "stores its tiles in a table without row numbers, which cannot be imported",
                remedy: "Create the file again with “\(table)” as a plain table."
            )
        }
        // What a row computes can be far more than what the file has of it.
        try database.columns(of: source) { name, _, isHidden in
            guard isHidden, name.lowercased() == data else { return }
            throw database.invalid(
                "computes its tiles when they are read, which cannot be imported",
                remedy: "Create the file again with “\(table)” as a plain table."
            )
        }
        let tiles = DiskSorter<ArchivedTile>(in: scratch)
        let length = takesOnlyBlobs ? "iif(typeof(\(data)) = 'blob', length(\(data)), 0)" : "length(\(data))"
        try database.query("SELECT \(position), rowid, \(length) FROM \(source)") { row in
            guard tiles.count < ArchiveLimits.tileCount else {
                throw RegionStoreError.tooManyTiles(database.name, remedy: "Create the file again for a smaller area.")
            }
            guard let zoom = row.wholeNumber(0), let column = row.wholeNumber(1), let number = row.wholeNumber(2),
                let address = address(zoom, column, number)
            else {
                omitted.add("a row says \(row.positionWords), which is no tile")
                return true
            }
            let length = UInt64(clamping: row.integer(4))
            try progress(tiles.count)
            let rowID = UInt64(bitPattern: Int64(row.integer(3)))
            try tiles.add(ArchivedTile(number: ColumnNumber(address), offset: rowID, length: length))
            return true
        }
        return tiles
    }

    private func bytes(ofRow number: Int64) throws -> [UInt8] {
        try database.first("SELECT \(data) FROM \(source) WHERE rowid = \(number)") { row in
            row.bytes(0, limit: MBTilesWriter.maximumTileLength)
        } ?? []
    }
}
