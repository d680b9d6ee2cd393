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
}
