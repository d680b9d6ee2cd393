import FoundationEssentials
import GRDB
import MapFiles
import RegionModel

/// The record that a person has removed an item of a region from this store.
///
/// The record keeps older copies of the item away (``RegionItemRecord/merge(_:into:replacing:_:)``). An offer tells of it, but
/// nothing is removed elsewhere: a person who removes an item decides for one machine. The record is forgotten when the item is added again, or when the
/// region is removed.
enum RemovedItem {
    /// The maximum number of records of a region; the oldest ones are forgotten.
    static let maximumCount = 10_000

    /// Returns the time at which an item was removed; nil if it was not.
    ///
    /// - Returns: The time, in whole seconds.
    static func time(of id: UUID, _ table: String, of regionID: UUID, _ database: Database) throws -> Date? {
        let sql = "SELECT removedAt FROM removedItem WHERE regionID = ? AND kind = ? AND id = ?"
        let statement = try database.cachedStatement(sql: sql)
        return try Double.fetchOne(statement, arguments: [regionID.uuidString, table, id.uuidString])
            .map { Date(timeIntervalSince1970: $0) }
    }

    /// Records that an item was removed.
    static func note(
        _ id: UUID,
        _ table: String,
        of regionID: UUID,
        at time: Date,
        atMost maximumCount: Int = maximumCount,
        _ database: Database
    ) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO removedItem (regionID, kind, id, removedAt) VALUES (?, ?, ?, ?)",
            arguments: [regionID.uuidString, table, id.uuidString, time.timeIntervalSince1970.rounded(.down)]
        )
        let oldest = """
            DELETE FROM removedItem WHERE rowid IN (
                SELECT rowid FROM removedItem WHERE regionID = ? ORDER BY removedAt DESC, rowid DESC LIMIT -1 OFFSET ?
            )
            """
        try database.execute(sql: oldest, arguments: [regionID.uuidString, maximumCount])
    }

    /// Returns the items of a table that were removed last, the latest first, with the times.
    static func latest(
        _ count: Int,
        _ table: String,
        of regionID: UUID,
        _ database: Database
    ) throws -> [(id: UUID, time: Date)] {
        let sql = """
            SELECT id, removedAt FROM removedItem WHERE regionID = ? AND kind = ?
            ORDER BY removedAt DESC, rowid DESC LIMIT ?
            """
        return try Row.fetchAll(database, sql: sql, arguments: [regionID.uuidString, table, count]).map { row in
            (try row.id("id"), Date(timeIntervalSince1970: row["removedAt"]))
        }
    }

    /// Forgets that an item was removed.
    static func forget(_ id: UUID, _ table: String, of regionID: UUID, _ database: Database) throws {
        let sql = "DELETE FROM removedItem WHERE regionID = ? AND kind = ? AND id = ?"
        try database.cachedStatement(sql: sql).execute(arguments: [regionID.uuidString, table, id.uuidString])
    }
}
