extension StoreSchema {
    // The items that a person has removed one by one, so that older copies of them do not come back.
    static let removedItem = """
        CREATE TABLE removedItem (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('hike', 'plannedRoute', 'waypoint')),
            id TEXT NOT NULL CHECK (length(id) = 36),
            removedAt REAL NOT NULL,
            PRIMARY KEY (regionID, kind, id)
        ) STRICT;
        """

    // The time at which the map came into this store, and the date that the map itself states.
    static let regionDates = """
        ALTER TABLE region ADD COLUMN addedAt REAL;
        ALTER TABLE region ADD COLUMN mapDate REAL;
        UPDATE region SET addedAt = createdAt;
        """

    // The fingerprint by which items of GPX files are recognised; null if it has to be computed.
    static let fingerprints = ["hike", "plannedRoute", "waypoint"].map { table in
        """
        ALTER TABLE \(table) ADD COLUMN fingerprint BLOB;
        CREATE INDEX \(table)OnFingerprint ON \(table) (regionID, fingerprint);
        CREATE TRIGGER \(table)LosesFingerprint AFTER UPDATE ON \(table)
        WHEN NEW.fingerprint IS OLD.fingerprint AND NEW.fingerprint IS NOT NULL
        BEGIN
            UPDATE \(table) SET fingerprint = NULL WHERE rowid = NEW.rowid;
        END;
        """
    }
}
