import FoundationEssentials
import GRDB
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A routing database that was copied into a workspace of the store and checked, and the region to which it belongs.
///
/// The copy is removed with the value.
package struct PreparedRouting: Sendable {
    let target: RegionStore
    let workspace: StoreWorkspace
    let graph: PreparedFile<RoutingFile>
    /// The region, as it is without the routing database.
    package let region: RegionSummary

    /// Whether the region has this very routing database.
    package var isKnown: Bool { region.routingDigest == graph.contents.digest }

    /// Gives the routing database to the region, instead of the one that it has.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if the region was removed.
    package func store() throws -> RegionSummary {
        let (target, id) = (target, region.id)
        let updated = try target.folders.alone {
            try target.move(.routing, graph.contents.digest, of: id, from: workspace)
            return try target.database.write { database in
                // The region may have been removed in the meantime.
                _ = try RegionStore.summary(id, database)
                try graph.record(.routing, of: id).upsert(database)
                return try RegionStore.summary(id, database)
            }
        }
        target.collectGarbage()
        return updated
    }
}
