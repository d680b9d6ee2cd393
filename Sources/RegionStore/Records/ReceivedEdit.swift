import FoundationEssentials
import GRDB
import RegionModel

/// Which edits of items came from other machines, so that they are told from a person's own.
///
/// An item that is edited here after that has another time, and is no longer such an item.
enum ReceivedEdit {
    /// The table with the times of the edits before a reception, which is that of the connection.
    private static let before = "temp.editBefore"

    private static let tables = ItemKind.allCases.map(\.tableName)

    /// Notes what is edited before a reception.
    static func begin(in regionID: UUID, _ database: Database) throws {
        try database.execute(
            sql: "CREATE TEMP TABLE IF NOT EXISTS editBefore (id TEXT NOT NULL PRIMARY KEY, modifiedAt REAL NOT NULL)"
        )
        try database.execute(sql: "DELETE FROM \(before)")
        for table in tables {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO \(before) (id, modifiedAt)
                    SELECT id, modifiedAt FROM \(table) WHERE regionID = ? AND modifiedAt IS NOT NULL
                    """,
                arguments: [regionID.uuidString]
            )
        }
    }

    /// Notes what was received since then.
    static func end(in regionID: UUID, _ database: Database) throws {
        for table in tables {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO receivedEdit (regionID, id, modifiedAt)
                    SELECT regionID, id, modifiedAt FROM \(table) AS item
                    WHERE regionID = ? AND modifiedAt IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM \(before) AS earlier
                        WHERE earlier.id = item.id AND earlier.modifiedAt = item.modifiedAt)
                    """,
                arguments: [regionID.uuidString]
            )
        }
        try database.execute(sql: "DELETE FROM \(before)")
    }

    /// Returns whether an item was edited on this machine after all that was received.
    static func isOwn(_ id: UUID, _ table: String, in regionID: UUID, _ database: Database) throws -> Bool {
        let sql = """
            SELECT modifiedAt IS NOT NULL AND NOT \(isReceived(table)) FROM \(table) WHERE regionID = ? AND id = ?
            """
        let statement = try database.cachedStatement(sql: sql)
        return try Bool.fetchOne(statement, arguments: [regionID.uuidString, id.uuidString]) ?? false
    }

    /// The expression for whether the edit of a row was received.
    static func isReceived(_ table: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM receivedEdit AS received
            WHERE received.regionID = \(table).regionID AND received.id = \(table).id
                AND received.modifiedAt = \(table).modifiedAt)
        """
    }
}
