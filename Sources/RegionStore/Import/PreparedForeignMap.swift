package import FoundationEssentials
import GRDB
import MapFiles
package import PeerProtocol
import PeerStorage
package import RegionModel

/// The map of another program that was copied into a workspace of the store and checked, but belongs to no region yet.
///
/// The copy is removed with the value.
package struct PreparedForeignMap: Sendable {
    let target: RegionStore
    let workspace: StoreWorkspace
    let file: PreparedFile<ForeignHeader>
    let foreign: ForeignMap
    let givenName: String?
    let ownName: String?

    /// How old the map is, as its header says.
    package var edition: MapEdition { MapEdition(date: file.checked.date) }

    /// The digest of the map.
    package var digest: ContentDigest { file.contents.digest }

    /// Adds the map to the store.
    ///
    /// - Parameters:
    ///   - regionID: The region whose file is replaced; nil to create a region, unless a region has this file.
    ///   - sign: Signs the map as the person who imports it; nil for no signature. A signature that is there stays.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.notFound` if there is no such region,
    ///   `RegionStoreError.Code.invalidArgument` if it has a map of another kind or area. After an error, the regions are unchanged.
    package func store(
        updating regionID: UUID? = nil,
        signed sign: ((_ map: ContentDigest) throws -> MapSignature?)? = nil
    ) throws -> StoredRegion {
        let signature = try sign?(file.contents.digest)
        // With the exclusive lock, because two simultaneous imports of one file would create two regions.
        let stored = try target.folders.alone {
            if let regionID { try checkFit(to: target.region(regionID)) }
            let known = try target.database.read {
                try KnownFile.fetchAll(.foreign, digest: file.contents.digest, $0).first?.regionID
            }
            let id = regionID ?? known ?? UUID()
            try target.move(.foreign, file.contents.digest, of: id, from: workspace)
            return try target.database.write { database in
                // Removing a region takes no lock, so the region may be gone by now.
                let before = try RegionRecord.fetchOne(id, database)
                guard before != nil || regionID == nil else { throw RegionStore.wasRemoved }
                let isSame = try RegionFileRecord.digests(of: id, database)[.foreign] == file.contents.digest
                if !isSame {
                    try RegionRecord(
                        id: id,
                        name: givenName ?? before?.name ?? ownName ?? "Region",
                        foreign: foreign,
                        header: file.checked,
                        createdAt: Date()
                    ).upsert(database)
                }
                try RegionRecord.sign(id, signature, database)
                try file.record(.foreign, of: id).upsert(database)
                return StoredRegion(
                    region: try RegionStore.summary(id, database),
                    isNew: before == nil,
                    hasKnownTiles: true,
                    isUpdate: regionID != nil && !isSame
                )
            }
        }
        if stored.isUpdate { target.collectGarbage() }
        return stored
    }

    /// Checks that a region's map may be replaced by this one.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if it may not.
    package func checkFit(to region: RegionSummary) throws {
        guard region.foreign?.format == foreign.format else { throw RegionStore.isOfAnotherKind(region) }
        guard let area = file.checked.area, region.hasArea, !area.overlaps(region.boundingBox) else { return }
        throw RegionStore.coversAnotherArea(region)
    }
}
