package import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage

extension RegionStore {
    /// Gives a region the id that another machine has for the same map, so that the two are one region from now on.
    ///
    /// Everything that belongs to the region stays as it is.
    ///
    /// - Returns: Whether that was possible; not if the file system has no links, or this store has both regions.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage`. After an error, the region is unchanged.
    package func adopt(_ newID: UUID, for id: UUID) throws -> Bool {
        let isDone = try folders.alone {
            let files = try database.read { database in
                try ResourceKind.regionFiles.compactMap { try KnownFile.fetchOne($0, of: id, database) }
            }
            // Both folders have the files until the transaction is on the disk: whenever the process dies, one of them counts, and
            // the files of the other are removed later.
            let folder = try RegionStoreError.mapping("written", "The store") { try folders.region(newID) }
            guard files.allSatisfy({ folders.hardLink($0, to: folder, as: $0.fileName) }) else { return false }
            try RegionStoreError.mapping("written", "The store") {
                for folder in [folder, folders.regions, folders.root] { try folder.synchronize() }
            }
            return try database.write { database in
                guard try RegionRecord.fetchOne(newID, database) == nil else { return false }
                // Until the transaction ends, items may name a region that is not there.
                try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
                for (table, column) in [("region", "id")] + Self.tablesOfRegions.map({ ($0, "regionID") }) {
                    try database.execute(
                        sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?",
                        arguments: [newID.uuidString, id.uuidString]
                    )
                }
                return true
            }
        }
        collectGarbage()
        return isDone
    }

    /// All tables whose rows name a region.
    static let tablesOfRegions = [
        "regionFile", "hike", "plannedRoute", "waypoint", "photo", "removedItem", "receivedEdit", "transfer",
    ]
}
