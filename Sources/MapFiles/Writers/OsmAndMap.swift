import FoundationEssentials
import GRDB
import PeerStorage

/// A map in the form that OsmAnd reads: an SQLite file of images, `.sqlitedb`.
///
/// OsmAnd's documentation calls the form “Tiles SQLite Format”
/// (https://osmand.net/docs/technical/osmand-file-formats/osmand-sqlite), and the program reads it in `SQLiteTileSource.java`.
/// It comes from RMaps. Locus Map and RMaps read only the columns `x`, `y`, `z`, `s` and `image` of `tiles`, and `minzoom` and
/// `maxzoom` of `info`. Rows count from the north.
///
/// OsmAnd knows two ways to number zoom levels. The file uses the older one, “BigPlanet”, because RMaps and Locus Map know no
/// other: `z` is 17 minus the zoom level, also in `info`, where the highest zoom level becomes `minzoom`.
package final class OsmAndMap {
    /// The zoom level that the file calls 0.
    static let zoomOrigin = 17

    /// The memory for the pages of the file, in KiB.
    private static let cacheSize = 2048

    private let queue: DatabaseQueue
    private var zoomLevels: ClosedRange<Int>?

    /// Makes a database of an empty file.
    ///
    /// The file gets its name when it is complete, so the database needs no journal, and the disk is not waited for.
    package init(in path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -\(Self.cacheSize);
                    """
            )
        }
        // If a request to stop has already removed the file, SQLite must not create it again.
        queue = try DatabaseQueue(path: UntrustedDatabase.uri(path, "mode=rw"), configuration: configuration)
    }

    /// Writes the whole content and closes the database.
    package func write(title: String, forEachTile: ((MapTile) throws -> Void) throws -> Void) throws {
        try queue.inTransaction { database in
            try Self.createTables(database)
            let statement = try database.makeStatement(sql: "INSERT OR IGNORE INTO tiles VALUES (?, ?, ?, 0, ?)")
            try forEachTile { tile in
                let zoom = tile.address.zoomLevel
                statement.setUncheckedArguments(
                    [tile.address.column, tile.address.row, Self.zoomOrigin - zoom, Data(tile.data)]
                )
                try statement.execute()
                zoomLevels = zoomLevels.map { min($0.lowerBound, zoom)...max($0.upperBound, zoom) } ?? zoom...zoom
            }
            try describe(title: title, database)
            return .commit
        }
        try queue.close()
    }

    private static func createTables(_ database: Database) throws {
        // The types are significant: OsmAnd compares the numbers with texts.
        // Some versions of Android open a database on a read-only card only if it has the table `android_metadata`.
        try database.execute(
            sql: """
                CREATE TABLE tiles (x int, y int, z int, s int, image blob, PRIMARY KEY (x, y, z, s));
                CREATE TABLE info (minzoom int, maxzoom int, title text, tilenumbering text, timecolumn text,
                    expireminutes int, ellipsoid int, inverted_y int);
                CREATE TABLE android_metadata (locale text);
                INSERT INTO android_metadata VALUES ('en_US');
                """
        )
    }

    /// Writes the one row of `info`.
    ///
    /// OsmAnd adds columns that it misses to the file, and downloads tiles only if there is a column `url`.
    private func describe(title: String, _ database: Database) throws {
        let levels = zoomLevels ?? 0...0
        try database.execute(
            sql: "INSERT INTO info VALUES (?, ?, ?, 'BigPlanet', 'no', 0, 0, 0)",
            arguments: [Self.zoomOrigin - levels.upperBound, Self.zoomOrigin - levels.lowerBound, title]
        )
    }
}
