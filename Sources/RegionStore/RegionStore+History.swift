import GRDB

extension RegionStore {
    /// Adds an ended transfer to the history.
    ///
    /// A ``RegionSink`` records its transfers itself.
    package func record(_ entry: TransferHistoryEntry) throws {
        try database.write { try TransferRecord.note(entry, $0) }
    }

    /// Returns the latest transfers, the latest first.
    package func history(limit: Int = 100) throws -> [TransferHistoryEntry] {
        try database.read { database in
            try TransferRecord.order(Column("endedAt").desc, Column("id").desc).limit(max(0, limit)).fetchAll(database)
        }.map(\.entry)
    }
}
