import GRDB

/// The tables of the store's database, and their migrations.
enum StoreSchema {
    /// A migration of all databases from before the first release, and of none since.
    static let preReleaseMigration = "v1"

    private static let release = "0.1.0"
    private static let editions = "mapEdition"
    private static let latest = "confirmedPhones"
    /// The migrations that the latest one merges, with those of the databases that were made before the first release.
    private static let merged = Set(["firstRelease", release, editions] + steps.map(\.name))

    /// The names of all migrations that a database of this version may have.
    static let knownMigrations = merged.union([latest])

    /// The migrations, in order.
    ///
    /// A released migration is never changed. A new database gets all tables in one step, because each step waits for the disk.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(latest, merging: merged) { database, applied in
            guard !applied.isEmpty else { return try create(database) }
            if applied.isDisjoint(with: [release, editions]) {
                for step in steps where !applied.contains(step.name) { try database.execute(sql: step.sql) }
            }
            if !applied.contains(editions) { try database.execute(sql: mapEdition) }
            try database.execute(sql: confirmedPhone)
        }
        return migrator
    }

    private static func create(_ database: Database) throws {
        let later = "sealed TEXT, signature TEXT, mapVersion TEXT, newestMapDate REAL"
        let tables = [
            "CREATE TABLE region (\(regionColumns(leastTileCount: 0)), \(later)) STRICT;", regionOnName,
            "CREATE TABLE regionFile (\(regionFileColumns(kinds: "'mbtiles', 'routing', 'sealed'"))) STRICT;",
            regionFileOnDigest, hike, plannedRoute, waypoint, photo, mergedPhotoArchive, removedItem, receivedEdit,
            transfer, trustedPeer, confirmedPhone, setting,
        ]
        for sql in tables + itemTables.map(fingerprint) { try database.execute(sql: sql) }
    }

    /// What had changed, one after the other, between the first tables and release 0.1.0.
    private static var steps: [(name: String, sql: String)] {
        [
            // SQLite cannot change the check of a column, so the table is made anew. Nothing that refers to it is touched.
            (
                "coverage",
                """
                CREATE TABLE newRegion (\(regionColumns(leastTileCount: 1))) STRICT;
                INSERT INTO newRegion SELECT id, name, north, south, east, west, minimumZoom, maximumZoom, createdAt,
                    announcedTileCount, tileCount, format, attribution, addedAt, mapDate, NULL, NULL
                    FROM region;
                DROP TABLE region;
                ALTER TABLE newRegion RENAME TO region;
                \(regionOnName)
                """
            ),
            // As above.
            (
                "sealedMaps",
                """
                CREATE TABLE newRegion (\(regionColumns(leastTileCount: 0)), sealed TEXT) STRICT;
                INSERT INTO newRegion SELECT *, NULL FROM region;
                DROP TABLE region;
                ALTER TABLE newRegion RENAME TO region;
                \(regionOnName)
                CREATE TABLE newRegionFile (\(regionFileColumns(kinds: "'mbtiles', 'routing', 'sealed'"))) STRICT;
                INSERT INTO newRegionFile SELECT * FROM regionFile;
                DROP TABLE regionFile;
                ALTER TABLE newRegionFile RENAME TO regionFile;
                \(regionFileOnDigest)
                """
            ),
            ("signature", "ALTER TABLE region ADD COLUMN signature TEXT"),
            ("receivedEdits", receivedEdit),
        ]
    }

    /// What has changed since release 0.1.0: `mapVersion` is null if it has to be read from the map, and empty if the map has none.
    private static let mapEdition =
        "ALTER TABLE region ADD COLUMN mapVersion TEXT; ALTER TABLE region ADD COLUMN newestMapDate REAL"

    private static let regionOnName = "CREATE INDEX regionOnName ON region (name COLLATE NOCASE);"
    private static let regionFileOnDigest = "CREATE INDEX regionFileOnDigest ON regionFile (digest);"

    // `west` is greater than `east` if the area crosses 180°. `addedAt` is when the map came into this store, and `mapDate` the date
    // that the map itself states. `coverage` is null if it has to be computed. `cut`, `sealed` and `signature` are JSON. `cut` is null
    // if the map is whole, `sealed` if the map has tiles, and `signature` if the map is not signed.
    private static func regionColumns(leastTileCount: Int) -> String {
        """
        id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
        name TEXT NOT NULL CHECK (length(name) > 0),
        north REAL NOT NULL CHECK (north BETWEEN south AND 90),
        south REAL NOT NULL CHECK (south BETWEEN -90 AND north),
        east REAL NOT NULL CHECK (east BETWEEN -180 AND 180),
        west REAL NOT NULL CHECK (west BETWEEN -180 AND 180),
        minimumZoom INTEGER NOT NULL CHECK (minimumZoom BETWEEN 0 AND maximumZoom),
        maximumZoom INTEGER NOT NULL CHECK (maximumZoom BETWEEN minimumZoom AND 30),
        createdAt REAL NOT NULL,
        announcedTileCount INTEGER NOT NULL CHECK (announcedTileCount >= 0),
        tileCount INTEGER NOT NULL CHECK (tileCount >= \(leastTileCount)),
        format TEXT,
        attribution TEXT,
        addedAt REAL NOT NULL,
        mapDate REAL,
        coverage BLOB CHECK (length(coverage) <= 49152),
        cut TEXT
        """
    }

    private static let itemTables = ["hike", "plannedRoute", "waypoint"]

    // `fileNumber` and `modifiedAt` are the stamp of the file when its content was last verified; null if it is unknown.
    private static func regionFileColumns(kinds: String) -> String {
        """
        regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN (\(kinds))),
        digest BLOB NOT NULL CHECK (length(digest) = 32),
        size INTEGER NOT NULL CHECK (size > 0),
        chunkDigests BLOB NOT NULL CHECK (length(chunkDigests) > 0 AND length(chunkDigests) % 32 = 0),
        fileNumber INTEGER,
        modifiedAt INTEGER,
        PRIMARY KEY (regionID, kind)
        """
    }

    // What GPX files say of items and OpenHiker's models have no field for is in `gpx`, `trackDetail`, `trackSensors` and
    // `pointTexts`. By the fingerprint, items of GPX files are recognised; it is null if it has to be computed.
    private static let hike = """
        CREATE TABLE hike (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) = 36),
            name TEXT NOT NULL,
            startLatitude REAL NOT NULL CHECK (startLatitude BETWEEN -90 AND 90),
            startLongitude REAL NOT NULL CHECK (startLongitude BETWEEN -180 AND 180),
            endLatitude REAL NOT NULL CHECK (endLatitude BETWEEN -90 AND 90),
            endLongitude REAL NOT NULL CHECK (endLongitude BETWEEN -180 AND 180),
            startTime REAL NOT NULL,
            endTime REAL NOT NULL,
            totalDistance REAL NOT NULL,
            elevationGain REAL NOT NULL,
            elevationLoss REAL NOT NULL,
            walkingTime REAL NOT NULL,
            restingTime REAL NOT NULL,
            averageHeartRate REAL,
            maximumHeartRate REAL,
            estimatedCalories REAL,
            comment TEXT NOT NULL,
            trackData BLOB NOT NULL,
            modifiedAt REAL,
            gpx TEXT CHECK (gpx IS NULL OR json_valid(gpx)),
            trackDetail BLOB,
            trackSensors BLOB,
            fingerprint BLOB,
            PRIMARY KEY (regionID, id)
        ) STRICT;
        """

    private static let plannedRoute = """
        CREATE TABLE plannedRoute (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) = 36),
            name TEXT NOT NULL,
            mode TEXT NOT NULL CHECK (mode IN ('hiking', 'cycling')),
            startLatitude REAL NOT NULL CHECK (startLatitude BETWEEN -90 AND 90),
            startLongitude REAL NOT NULL CHECK (startLongitude BETWEEN -180 AND 180),
            endLatitude REAL NOT NULL CHECK (endLatitude BETWEEN -90 AND 90),
            endLongitude REAL NOT NULL CHECK (endLongitude BETWEEN -180 AND 180),
            viaPoints TEXT NOT NULL CHECK (json_valid(viaPoints)),
            coordinates TEXT NOT NULL CHECK (json_valid(coordinates)),
            turnInstructions TEXT NOT NULL CHECK (json_valid(turnInstructions)),
            totalDistance REAL NOT NULL,
            estimatedDuration REAL NOT NULL,
            elevationGain REAL NOT NULL,
            elevationLoss REAL NOT NULL,
            createdAt REAL NOT NULL,
            elevationProfile TEXT CHECK (elevationProfile IS NULL OR json_valid(elevationProfile)),
            modifiedAt REAL,
            gpx TEXT CHECK (gpx IS NULL OR json_valid(gpx)),
            trackDetail BLOB,
            pointTexts TEXT CHECK (pointTexts IS NULL OR json_valid(pointTexts)),
            fingerprint BLOB,
            PRIMARY KEY (regionID, id)
        ) STRICT;
        """

    private static let waypoint = """
        CREATE TABLE waypoint (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) = 36),
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            elevation REAL,
            time REAL NOT NULL,
            label TEXT NOT NULL,
            note TEXT NOT NULL,
            category TEXT NOT NULL,
            hasPhoto INTEGER NOT NULL CHECK (hasPhoto IN (0, 1)),
            hikeID TEXT CHECK (length(hikeID) = 36),
            modifiedAt REAL,
            gpx TEXT CHECK (gpx IS NULL OR json_valid(gpx)),
            fingerprint BLOB,
            PRIMARY KEY (regionID, id)
        ) STRICT;
        """

    /// Finds items by their fingerprints, and drops the fingerprint of an item that changes.
    private static func fingerprint(_ table: String) -> String {
        """
        CREATE INDEX \(table)OnFingerprint ON \(table) (regionID, fingerprint);
        CREATE TRIGGER \(table)LosesFingerprint AFTER UPDATE ON \(table)
        WHEN NEW.fingerprint IS OLD.fingerprint AND NEW.fingerprint IS NOT NULL
        BEGIN
            UPDATE \(table) SET fingerprint = NULL WHERE rowid = NEW.rowid;
        END;
        """
    }

    // The items that a person has removed one by one, so that older copies of them do not come back.
    private static let removedItem = """
        CREATE TABLE removedItem (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('hike', 'plannedRoute', 'waypoint')),
            id TEXT NOT NULL CHECK (length(id) = 36),
            removedAt REAL NOT NULL,
            PRIMARY KEY (regionID, kind, id)
        ) STRICT;
        """

    // The edits that came from other machines.
    private static let receivedEdit = """
        CREATE TABLE receivedEdit (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            id TEXT NOT NULL CHECK (length(id) = 36),
            modifiedAt REAL NOT NULL,
            PRIMARY KEY (regionID, id)
        ) STRICT;
        """

    private static let transfer = """
        CREATE TABLE transfer (
            id INTEGER PRIMARY KEY,
            direction TEXT NOT NULL CHECK (direction IN ('sent', 'received')),
            peerID TEXT CHECK (length(peerID) = 64),
            peerName TEXT NOT NULL,
            regionID TEXT NOT NULL CHECK (length(regionID) = 36),
            regionName TEXT NOT NULL,
            startedAt REAL NOT NULL,
            endedAt REAL NOT NULL,
            outcome TEXT NOT NULL,
            byteCount INTEGER NOT NULL CHECK (byteCount >= 0)
        ) STRICT;
        CREATE INDEX transferOnEndedAt ON transfer (endedAt);
        """

    private static let trustedPeer = """
        CREATE TABLE trustedPeer (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
            name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) > 0),
            pinnedAt REAL NOT NULL,
            lastSeenAt REAL
        ) STRICT;
        """

    private static let confirmedPhone = """
        CREATE TABLE confirmedPhone (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
            name TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) > 0),
            alias TEXT NOT NULL, confirmedAt REAL NOT NULL, seenAt REAL NOT NULL
        ) STRICT;
        """

    private static let photo = """
        CREATE TABLE photo (
            regionID TEXT NOT NULL,
            waypointID TEXT NOT NULL,
            modifiedAt REAL NOT NULL,
            data BLOB NOT NULL CHECK (length(data) BETWEEN 1 AND 16777216),
            PRIMARY KEY (regionID, waypointID),
            FOREIGN KEY (regionID, waypointID) REFERENCES waypoint (regionID, id) ON DELETE CASCADE
        ) STRICT;
        """

    // The digests of photo archives that were merged into the table above, so that their partial files are not resumed.
    private static let mergedPhotoArchive = """
        CREATE TABLE mergedPhotoArchive (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32)
        ) STRICT;
        """

    private static let setting = """
        CREATE TABLE setting (
            name TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;
        """
}
