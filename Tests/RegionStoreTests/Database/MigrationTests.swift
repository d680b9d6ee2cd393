import Foundation
import GRDB
import PeerTestSupport
import RegionTestSupport
import Testing

@testable import RegionStore

/// Databases of earlier versions.
@Suite struct MigrationTests {
    /// The tables that have changed since the first ones, as they were then.
    private static let firstTables = """
        DROP TABLE confirmedPhone;
        DROP TABLE receivedEdit;
        CREATE TABLE oldRegion (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
            name TEXT NOT NULL CHECK (length(name) > 0),
            north REAL NOT NULL CHECK (north BETWEEN south AND 90),
            south REAL NOT NULL CHECK (south BETWEEN -90 AND north),
            east REAL NOT NULL CHECK (east BETWEEN west AND 180),
            west REAL NOT NULL CHECK (west BETWEEN -180 AND east),
            minimumZoom INTEGER NOT NULL CHECK (minimumZoom BETWEEN 0 AND maximumZoom),
            maximumZoom INTEGER NOT NULL CHECK (maximumZoom BETWEEN minimumZoom AND 30),
            createdAt REAL NOT NULL,
            announcedTileCount INTEGER NOT NULL CHECK (announcedTileCount >= 0),
            tileCount INTEGER NOT NULL CHECK (tileCount > 0),
            format TEXT,
            attribution TEXT,
            addedAt REAL NOT NULL,
            mapDate REAL
        ) STRICT;
        INSERT INTO oldRegion SELECT id, name, north, south, east, west, minimumZoom, maximumZoom, createdAt, announcedTileCount,
            tileCount, format, attribution, addedAt, mapDate FROM region;
        DROP TABLE region;
        ALTER TABLE oldRegion RENAME TO region;
        CREATE INDEX regionOnName ON region (name COLLATE NOCASE);
        CREATE TABLE oldRegionFile (
            regionID TEXT NOT NULL REFERENCES region (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('mbtiles', 'routing')),
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            size INTEGER NOT NULL CHECK (size > 0),
            chunkDigests BLOB NOT NULL CHECK (length(chunkDigests) > 0 AND length(chunkDigests) % 32 = 0),
            fileNumber INTEGER,
            modifiedAt INTEGER,
            PRIMARY KEY (regionID, kind)
        ) STRICT;
        INSERT INTO oldRegionFile SELECT * FROM regionFile;
        DROP TABLE regionFile;
        ALTER TABLE oldRegionFile RENAME TO regionFile;
        CREATE INDEX regionFileOnDigest ON regionFile (digest);
        """

    /// The statements that make a table or an index, without the differences that renaming leaves in them.
    private func statements(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let words = (row["sql"] as String).replacing("\"", with: "").split(whereSeparator: \.isWhitespace)
                return (row["name"], words.joined(separator: " ").replacing(" ,", with: ",").replacing(" )", with: ")"))
            }
        )
    }

    private func names(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
    }

    /// What makes the tables of an earlier version.
    private static func undoing(_ migrations: [String]) -> String {
        let phones = "DROP TABLE confirmedPhone"
        return switch migrations {
        case ["firstRelease"]: firstTables
        case ["mapEdition"]: phones
        default:
            "\(phones); ALTER TABLE region DROP COLUMN newestMapDate; ALTER TABLE region DROP COLUMN mapVersion"
        }
    }

    @Test(
        arguments: [
            ["firstRelease"], ["firstRelease", "coverage", "sealedMaps", "signature", "receivedEdits"], ["0.1.0"],
            ["mapEdition"],
        ]
    )
    func aDatabaseOfAnEarlierVersionHasTheSameTablesInTheEnd(old: [String]) async throws {
        try await TemporaryDirectory.with { directory in
            let (store, region) = try RegionStoreTests.store(in: directory)
            let hike = try Items.hike()
            try store.add([hike], to: region.id)
            try store.database.settle()
            let queue = try DatabaseQueue(path: store.path + "/" + StoreDatabase.fileName)
            let expected = try await queue.read(statements)
            let new = try await queue.read(names)
            try await queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA foreign_keys = OFF")
                try database.execute(sql: Self.undoing(old))
                try database.execute(sql: "DELETE FROM grdb_migrations")
                for name in old {
                    try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
                }
            }
            #expect(try await queue.read(statements) != expected, "the tables have changed already")
            let migrated = try RegionStore(path: store.path)
            #expect(try migrated.regions().map(\.id) == [region.id])
            #expect(try migrated.hikes(of: region.id).map(\.id) == [hike.id])
            #expect(try await queue.read(statements) == expected)
            #expect(try await queue.read(names) == new)
        }
    }

    /// What an earlier version has not read of a map is read once.
    @Test func theAgeOfEachMapIsReadWhenItIsNotKnown() async throws {
        try await TemporaryDirectory.with { directory in
            var map = MapFile.small()
            map.metadata += [("date", "2024-05-06"), ("newestdate", "2025-01-02"), ("version", "1.2")]
            try map.write(to: directory.path("a.mbtiles")).close()
            try MapFile.small(seed: 2).write(to: directory.path("b.mbtiles")).close()
            let store = try RegionStore(path: directory.path("store"))
            for name in ["a", "b"] { try store.importMap(at: directory.path("\(name).mbtiles"), name: name) }
            let editions = try store.regions().map(\.edition)
            #expect(editions.map(\.version) == ["1.2", nil] && editions[0].newestDate != nil, "\(editions)")
            try store.database.write { database in
                try database.execute(sql: "UPDATE region SET mapVersion = NULL, newestMapDate = NULL, mapDate = NULL")
            }
            #expect(try store.regions().map(\.edition) == [MapEdition(), MapEdition()])
            #expect(try RegionStore(path: store.path).regions().map(\.edition) == editions)
            let unread = "SELECT count(*) FROM region WHERE mapVersion IS NULL"
            #expect(try store.database.read { try Int.fetchOne($0, sql: unread) } == 0)
        }
    }
}
