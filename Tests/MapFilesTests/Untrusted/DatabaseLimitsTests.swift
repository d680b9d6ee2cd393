import Foundation
import GRDB
import MapFiles
import PeerTestSupport
import RegionModel
import Testing

/// What a database from elsewhere may cost, and that a good one is not refused for it.
///
/// SQLite counts the memory of all databases of the process, so each test of that memory has a process of its own.
@Suite(.timeLimit(.minutes(10))) struct DatabaseLimitsTests {
    fileprivate static func make(_ sql: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.path("\(UUID().uuidString).mbtiles")
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        return path
    }

    @Test func timeSpentWaitingForADiskDoesNotCount() async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.make("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)", in: directory)
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 0.2, memory: 64 << 20))
            var rows = 0
            try database.query("SELECT x FROM t") { _ in
                // As a disk does that needs this long for each row.
                usleep(300_000)
                rows += 1
                return true
            }
            #expect(rows == 2)
        }
    }

    @Test func tilesWithoutAnIndexNeedLittleMemory() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with(isInMemory: true) { directory in
                let path = try DatabaseLimitsTests.make(
                    """
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299999)
                    INSERT INTO tiles SELECT 14 + i % 2, i % 16000, i / 100, x'89504E470D0A1A0A' FROM n;
                    """,
                    in: directory
                )
                let limits = CheckLimits.importing(size: 0)
                let database = try UntrustedDatabase(
                    path,
                    .immutable,
                    within: CheckLimits(seconds: 60, memory: limits.memory)
                )
                let map = try MapDescription(checking: database)
                #expect(map.tileCount == 300_000)
                #expect(map.coverage.levels.map(\.zoomLevel) == [14, 15])
                #expect(map.coverage.levels.map(\.tileCount) == [150_000, 150_000])
                let highest = try #require(map.coverage.level(15))
                #expect(highest.contains(column: 1, row: 32_767))
                #expect(highest.contains(column: 11_999, row: 32_768 - 3000))
                #expect(!highest.contains(column: 11_999, row: 0))
            }
        }
    }

    /// Many rows of the same places, with more places apart from each other than are in memory at a time.
    @Test func placesAreCountedOnceInLittleMemory() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with(isInMemory: true) { directory in
                let path = try DatabaseLimitsTests.make(
                    """
                    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 249999)
                    INSERT INTO tiles SELECT 15, 2 * (i % 10000), 2 * (i / 10000), x'89504E470D0A1A0A' FROM n;
                    INSERT INTO tiles SELECT 15, 4, 4, tile_data FROM tiles;
                    INSERT INTO tiles SELECT 9, tile_column % 3, 0, tile_data FROM tiles LIMIT 1000;
                    """,
                    in: directory
                )
                let memory = CheckLimits.importing(size: 0).memory
                let database = try UntrustedDatabase(
                    path,
                    .immutable,
                    within: CheckLimits(seconds: 600, memory: memory)
                )
                let tally = try MapDescription.tally(of: database, holding: 100_000)
                #expect(tally.coverage?.levels.map(\.tileCount) == [3, 250_000] && tally.coverage?.isCoarse == true)
                #expect(tally.rowCoverage?.levels.map(\.tileCount) == [1000, 500_000])
            }
        }
    }

    /// All values are computed in one go, between two looks at the memory.
    @Test func aRowOfLargeValuesIsStoppedWithinTheLimit() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                // Seven of the eight arguments wait at each level for the one within: 900 MB, more than all checks at once may take.
                let value = (0..<16).reduce("x") { inner, level in
                    let waiting = (0..<7).map { "x || '\(level)\($0)'" }.joined(separator: ", ")
                    return "max(\(waiting), \(inner))"
                }
                let path = try DatabaseLimitsTests.make(
                    """
                    CREATE TABLE large (x BLOB);
                    INSERT INTO large VALUES (zeroblob(8000000));
                    CREATE VIEW tiles AS SELECT 12 AS zoom_level, length(\(value)) AS tile_column, 0 AS tile_row,
                        x'89504E47' AS tile_data FROM large;
                    """,
                    in: directory
                )
                let database = try UntrustedDatabase(
                    path,
                    .immutable,
                    within: CheckLimits(seconds: 60, memory: 16 << 20)
                )
                let error = try #require(throws: RegionStoreError.self) { try MapDescription(checking: database) }
                #expect(error.message.contains("too much memory"), "\(error.message)")
                #expect(error.code == .storage)
            }
        }
    }

    /// The limit for all of SQLite would stop the store, too, if it left no room for a photo.
    @Test func theLargestPhotoIsWrittenAndReadDuringACheck() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                let path = try DatabaseLimitsTests.make("CREATE TABLE t (x); INSERT INTO t VALUES (1)", in: directory)
                let store = try DatabaseQueue(path: directory.path("own.db"))
                try await store.write { try $0.execute(sql: "CREATE TABLE photos (data BLOB)") }
                let photo = Data(repeating: 7, count: 16 << 20)
                let database = try UntrustedDatabase(
                    path,
                    .immutable,
                    within: CheckLimits(seconds: 60, memory: CheckLimits.oneTile.memory)
                )
                try await store.write { try $0.execute(sql: "INSERT INTO photos VALUES (?)", arguments: [photo]) }
                let kept = try await store.read { try Data.fetchOne($0, sql: "SELECT data FROM photos") }
                #expect(kept?.count == photo.count)
                // The check goes on to its end.
                try database.query("SELECT x FROM t") { _ in true }
                try store.close()
            }
        }
    }

    /// What one check uses of its own share is no reason to stop another.
    @Test func checksShareTheirLimits() async throws {
        await #expect(processExitsWith: .success) {
            try await TemporaryDirectory.with { directory in
                let path = try DatabaseLimitsTests.make(
                    "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(7000000)), (zeroblob(7000000))",
                    in: directory
                )
                let small = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 60, memory: 2 << 20))
                do {
                    let large = try UntrustedDatabase(
                        path,
                        .immutable,
                        within: CheckLimits(seconds: 60, memory: 64 << 20)
                    )
                    // The value of the row is in memory meanwhile.
                    try large.query("SELECT max(x || 'a') FROM t") { _ in
                        try small.query("SELECT 1") { _ in true }
                        return true
                    }
                }
                // Now that the large one and its share are gone, the small one may not do the same.
                let error = try #require(throws: RegionStoreError.self) {
                    try small.query("SELECT max(x || 'a') FROM t") { _ in
                        try small.query("SELECT 1") { _ in true }
                        return true
                    }
                }
                #expect(error.message.contains("too much memory"), "\(error.message)")
            }
        }
    }

    @Test func onlyTheMetadataThatMatterAreKept() async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.make(
                """
                CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                INSERT INTO tiles VALUES (0, 0, 0, x'89504E470D0A1A0A');
                CREATE TABLE metadata (name TEXT, value TEXT);
                INSERT INTO metadata VALUES ('json', hex(zeroblob(40000))), ('name', 'Alps'), ('name', 'Other');
                """,
                in: directory
            )
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 60, memory: 16 << 20))
            #expect(try MapDescription(checking: database).metadata == ["name": "Alps"])
        }
    }

    @Test(arguments: [
        "pragma_page_count", "pragma_table_list", "pragma_integrity_check", "pragma_quick_check", "pragma_user_version",
    ])
    func aViewThatRunsAPragmaIsRefused(table: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.make(
                """
                CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'89504E47' AS tile_data
                FROM \(table);
                """,
                in: directory
            )
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 60, memory: 16 << 20))
            let error = try #require(throws: RegionStoreError.self) { try MapDescription(checking: database) }
            #expect(error.code == .invalidFile, "\(error.message)")
        }
    }

    /// The authorizer alone, without what else stands in the way of a view.
    @Test(arguments: ["page_count", "table_info(t)", "journal_mode = DELETE", "query_only = OFF", "quick_check"])
    func pragmasAreNotAllowed(pragma: String) async throws {
        try await TemporaryDirectory.with { directory in
            let path = try Self.make("CREATE TABLE t (x)", in: directory)
            let database = try UntrustedDatabase(path, .immutable, within: CheckLimits(seconds: 60, memory: 16 << 20))
            let error = try #require(throws: RegionStoreError.self) { try database.query("PRAGMA " + pragma) }
            #expect(error.message.contains("not authorized"), "\(error.message)")
        }
    }
}
