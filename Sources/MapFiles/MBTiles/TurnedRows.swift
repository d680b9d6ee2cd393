import GRDB
import RegionModel

extension UntrustedFile {
    /// The memory for the pages of a file whose rows are turned, in KiB.
    private static let turningCacheSize = 8192

    /// Counts the rows of a map from the other side, in the file itself.
    ///
    /// The file must have been checked: it has no triggers. Two steps keep positions unique on the way.
    ///
    /// - Parameters:
    ///   - path: The path of a copy that belongs to this process.
    ///   - name: The name of the file in messages.
    /// - Returns: Whether the rows were turned; false if the positions are in no table that is known.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the file cannot be changed.
    package static func turnRows(of path: String, called name: String) throws -> Bool {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -\(turningCacheSize);
                    """
            )
        }
        do {
            let queue = try DatabaseQueue(path: UntrustedDatabase.uri(path, "mode=rw"), configuration: configuration)
            let isTurned = try queue.write { database -> Bool in
                guard let table = try table(of: database) else { return false }
                // A row that no zoom level has stays where it is.
                let positions = "zoom_level BETWEEN 0 AND 30 AND tile_row"
                try database.execute(
                    sql: """
                        UPDATE \(table) SET tile_row = -1 - tile_row
                        WHERE \(positions) BETWEEN 0 AND (1 << zoom_level) - 1;
                        UPDATE \(table) SET tile_row = tile_row + (1 << zoom_level)
                        WHERE \(positions) BETWEEN -(1 << zoom_level) AND -1;
                        """
                )
                return true
            }
            try queue.close()
            return isTurned
        } catch let error as DatabaseError {
            throw RegionStoreError(
                .storage,
                "The rows of \(name) are counted from the north, and cannot be turned: \(error.message ?? "unknown").",
                remedy: "Convert the map with the program that created it, so that its rows count from the south.",
                cause: error
            )
        }
    }

    /// Returns the table with the positions of the tiles: `tiles`, or `map` of a map whose `tiles` are a view.
    private static func table(of database: Database) throws -> String? {
        for name in ["tiles", "map"] where try database.tableExists(name) {
            let columns = try Set(database.columns(in: name).map { $0.name.lowercased() })
            if columns.isSuperset(of: ["zoom_level", "tile_column", "tile_row"]) { return name }
        }
        return nil
    }
}
