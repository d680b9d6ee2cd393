import PeerStorage
import RegionModel

/// The tiles of a table of an SQLite file, which are found by the numbers of their rows.
///
/// An index of positions is not needed: a file without one would take too long for each tile.
struct ArchiveTable {
    let database: UntrustedDatabase

    /// The name of the table, which must exist and is no view.
    let table: String

    /// The columns with the zoom level, the column and the row.
    let position: String

    /// The column with the data.
    let data: String

    /// Whether a text is no data, as in MBTiles.
    var takesOnlyBlobs = false

    /// The table in an SQL statement.
    private var source: String {
        "\"" + table.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// What the import takes at most, by the numbers of the rows.
    func cost() throws -> ImportCost { try ImportCost(ofDatabase: database, table: table) }

    /// Reads all tiles in the order of MBTiles files.
    ///
    /// - Parameters:
    ///   - scratch: The folder for temporary files.
    ///   - address: Returns the tile at a zoom level, column and row of the table; nil for none.
    ///   - progress: Called with how many tiles are done and the number of all tiles.
    ///   - body: Takes a tile.
    /// - Returns: The rows that were left out.
    /// - Throws: `RegionStoreError` if the table is not acceptable or cannot be read, or the error of `body`.
    func forEachTile(
        scratch: Folder,
        address: (_ zoom: Int, _ column: Int, _ row: Int) -> TileAddress?,
        progress: (_ done: Int, _ total: Int) throws -> Void,
        _ body: (MapTile) throws -> Void
    ) throws -> OmittedEntries {
        var omitted = OmittedEntries()
        let most = try cost().tileCount ?? ArchiveLimits.tileCount
        let places = try sortedPlaces(scratch, address, &omitted) { count in
            // Pages that are there more than once would have more rows than the file has bytes for.
            guard count < most else {
                throw ArchiveFault("its table has more rows than it can have").error(database.name)
            }
            try progress(count / 2, most)
        }
        var (done, last): (Int, UInt64?) = (0, nil)
        try places.readSorted { place in
            try progress((places.count + done) / 2, places.count)
            done += 1
            guard let address = place.address else { return }
            // A map has one tile in one place. The first row counts, as in programs that look for a tile.
            guard place.key != last else { return omitted.add("the tile \(address.name) is there more than once") }
            guard place.length > 0 else { return omitted.add("the tile \(address.name) has no data") }
            guard place.length <= UInt64(MBTilesWriter.maximumTileLength) else {
                return omitted.add("the tile \(address.name) has more than 8 MB")
            }
            last = place.key
            try body(MapTile(address, data: try bytes(ofRow: Int64(bitPattern: place.offset))))
        }
        return omitted
    }

    private func sortedPlaces(
        _ scratch: Folder,
        _ address: (_ zoom: Int, _ column: Int, _ row: Int) -> TileAddress?,
        _ omitted: inout OmittedEntries,
        progress: (_ done: Int) throws -> Void
    ) throws -> PlaceSorter {
        guard try database.hasColumns("rowid", of: source) else {
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) stores its tiles in a table without row numbers, which cannot be imported.",
                remedy: "Create the file again with “\(table)” as a plain table."
            )
        }
        // What a row computes can be far more than what the file has of it.
        try database.columns(of: source) { name, _, isHidden in
            guard isHidden, name.lowercased() == data else { return }
            throw RegionStoreError(
                .invalidFile,
                "\(database.name) computes its tiles when they are read, which cannot be imported.",
                remedy: "Create the file again with “\(table)” as a plain table."
            )
        }
        let places = PlaceSorter(in: scratch)
        let length = takesOnlyBlobs ? "iif(typeof(\(data)) = 'blob', length(\(data)), 0)" : "length(\(data))"
        try database.query("SELECT \(position), rowid, \(length) FROM \(source)") { row in
            guard places.count < ArchiveLimits.tileCount else {
                throw RegionStoreError.tooManyTiles(database.name, remedy: "Create the file again for a smaller area.")
            }
            guard let zoom = row.wholeNumber(0), let column = row.wholeNumber(1), let number = row.wholeNumber(2),
                let address = address(zoom, column, number)
            else {
                let place = (0..<3).map { row.text(CInt($0), limit: 50) ?? "NULL" }
                omitted.add("a row says zoom \(place[0]), column \(place[1]), row \(place[2]), which is no tile")
                return true
            }
            let length = UInt64(clamping: row.integer(4))
            try progress(places.count)
            try places.add(TilePlace(address, offset: UInt64(bitPattern: Int64(row.integer(3))), length: length))
            return true
        }
        return places
    }

    private func bytes(ofRow number: Int64) throws -> [UInt8] {
        try database.first("SELECT \(data) FROM \(source) WHERE rowid = \(number)") { row in
            row.bytes(0, limit: MBTilesWriter.maximumTileLength)
        } ?? []
    }
}
