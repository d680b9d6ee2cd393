import Crypto
import FoundationEssentials
import GRDB
import PeerProtocol

/// Recognises the items of a GPX file that a region already has.
enum KnownItems {
    /// Adds the items that a region does not have.
    ///
    /// An existing item with the same id, or with the same name, positions and times, does not change.
    static func add<Item: FingerprintedItem>(
        _ items: [Item],
        to regionID: UUID,
        _ kind: ResourceKind,
        _ database: Database
    ) throws -> MergeCounts {
        let ids = try existing(Item.self, of: regionID, database)
        let others = items.filter { !ids.contains($0.id) }
        let fingerprints = try fingerprints(
            of: Item.self,
            called: Set(others.map(\.fingerprintName)),
            in: regionID,
            database
        )
        let new = others.filter { item in item.fingerprint.map { !fingerprints.contains($0) } ?? true }
        var counts = try RegionItemRecord.addMissing(new, to: regionID, kind, database)
        counts.unchanged += items.count - new.count
        return counts
    }

    /// Counts in which regions items are, by their ids.
    static func countRegions<Item: FingerprintedItem>(
        of items: [Item],
        _ counts: inout [UUID: Int],
        _ database: Database
    ) throws {
        let sql = "SELECT regionID FROM \(Item.tableName) WHERE id = ?"
        // Some of many items are enough to find their region.
        for item in items.prefix(100) {
            let statement = try database.cachedStatement(sql: sql)
            for text in try String.fetchAll(statement, arguments: [item.id.uuidString]) {
                if let id = UUID(uuidString: text) { counts[id, default: 0] += 1 }
            }
        }
    }

    private static func existing<Item: FingerprintedItem>(
        _ type: Item.Type,
        of regionID: UUID,
        _ database: Database
    ) throws -> Set<UUID> {
        let sql = "SELECT id FROM \(Item.tableName) WHERE regionID = ?"
        let texts = try String.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
        var ids: Set<UUID> = []
        while let text = try texts.next() {
            if let id = UUID(uuidString: text) { ids.insert(id) }
        }
        return ids
    }

    /// Returns the fingerprints of the items of a region with certain names; items that cannot be read have none.
    private static func fingerprints<Item: FingerprintedItem>(
        of type: Item.Type,
        called names: Set<String>,
        in regionID: UUID,
        _ database: Database
    ) throws -> Set<SHA256.Digest> {
        guard !names.isEmpty else { return [] }
        let sql = "SELECT * FROM \(Item.tableName) WHERE regionID = ?"
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [regionID.uuidString])
        var fingerprints: Set<SHA256.Digest> = []
        while let row = try rows.next() {
            guard let name: String = row[Item.nameColumn], names.contains(name),
                let fingerprint = try? Item(row: row).fingerprint
            else { continue }
            fingerprints.insert(fingerprint)
        }
        return fingerprints
    }
}
