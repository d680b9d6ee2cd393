import FoundationEssentials
import GRDB
import PeerProtocol

/// The row of an ended transfer.
struct TransferRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "transfer"

    var entry: TransferHistoryEntry

    init(_ entry: TransferHistoryEntry) { self.entry = entry }

    /// The maximum number of transfers in the history.
    static let maximumCount = 1000

    /// Adds a transfer, and removes the oldest ones above the maximum.
    static func note(_ entry: TransferHistoryEntry, _ database: Database) throws {
        try TransferRecord(entry).insert(database)
        try database.execute(
            sql: "DELETE FROM transfer WHERE id <= (SELECT max(id) FROM transfer) - ?",
            arguments: [maximumCount]
        )
    }

    init(row: Row) throws {
        guard let direction = TransferHistoryEntry.Direction(rawValue: row["direction"]) else {
            throw ImpossibleValue(column: "direction")
        }
        entry = TransferHistoryEntry(
            direction: direction,
            partner: TransferPeer(
                id: (row["peerID"] as String?).flatMap { PeerID(hex: $0) },
                displayName: row["peerName"]
            ),
            regionID: try row.id("regionID"),
            regionName: row["regionName"],
            startedAt: row.date("startedAt"),
            endedAt: row.date("endedAt"),
            outcome: TransferHistoryEntry.Outcome(rawValue: row["outcome"]) ?? .abandoned,
            byteCount: UInt64(clamping: row["byteCount"] as Int64)
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container["direction"] = entry.direction.rawValue
        container["peerID"] = entry.partner.id?.hex
        container["peerName"] = entry.partner.displayName
        container.set("regionID", entry.regionID)
        container["regionName"] = entry.regionName
        container["startedAt"] = entry.startedAt.timeIntervalSince1970
        container["endedAt"] = entry.endedAt.timeIntervalSince1970
        container["outcome"] = entry.outcome.rawValue
        container["byteCount"] = Int64(clamping: entry.byteCount)
    }
}
