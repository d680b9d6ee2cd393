package import FoundationEssentials
import GRDB
import Glibc
import MapFiles
package import PeerProtocol
import PeerStorage
package import RegionModel

/// A map that was copied into a workspace of the store and checked, but belongs to no region yet.
///
/// The copy is removed with the value.
package struct PreparedMap: Sendable {
    let target: RegionStore
    let workspace: StoreWorkspace
    let map: PreparedFile<MapDescription>
    let graph: PreparedFile<RoutingFile>?
    let oddities: MapOddities
    let givenName: String?
    /// The name that a person has given, or else that of the map.
    package let name: String

    /// The smallest part that two areas must have in common, of the area that they cover together, to count as the same.
    private static let leastCommonPart = 0.9

    /// Whether the map says that it is a part, so that an update adds its tiles.
    package var isPart: Bool { map.checked.isPart }

    /// How old the map is, as its metadata say.
    package var edition: MapEdition { map.checked.edition }

    /// The zoom levels that have tiles, the lowest first.
    package var zooms: [Int] { map.checked.coverage.zoomLevels }

    /// The digest of the map.
    package var digest: ContentDigest { map.contents.digest }

    /// The size of the map, in bytes.
    package var size: UInt64 { map.contents.layout.size }

    /// The area of the map.
    package var boundingBox: BoundingBox { map.checked.place.area }

    /// Returns the region that has this very map; nil if there is none.
    package func knownRegion() throws -> RegionSummary? {
        try target.region(withMap: map.contents.digest).map { try target.region($0) }
    }

    /// Returns the region whose map this may be a newer version of; nil if there is none.
    ///
    /// It has the same name and covers a part of the map's area, or it covers the same area. A region with the very same map is
    /// no older version. If a person has given a name, only that name counts.
    package func olderVersion() throws -> RegionSummary? {
        let regions = try target.regions()
        guard !regions.contains(where: { $0.mapDigest == map.contents.digest }) else { return nil }
        let place = map.checked.place
        // One after the other, because a store may have many regions with large coverages.
        let near = regions.compactMap { region -> (region: RegionSummary, common: Double)? in
            guard region.foreign == nil, region.boundingBox.overlaps(place.area) else { return nil }
            let other = region.place
            return other.overlaps(place) ? (region, other.commonPart(with: place)) : nil
        }
        let namesakes = near.filter { $0.region.name.lowercased() == name.lowercased() }
        let places = givenName == nil ? near.filter { $0.common >= Self.leastCommonPart } : []
        return (namesakes.isEmpty ? places : namesakes).max { $0.common < $1.common }?.region
    }

    /// Adds the map to the store.
    ///
    /// A part of a map takes nothing away: its tiles are added to the map of the region that is updated.
    ///
    /// - Parameters:
    ///   - regionID: The region whose map is replaced; nil to create a region, unless a region has this map.
    ///   - expected: The map that the region must still have, because a person has agreed to replace that one; nil for any.
    ///   - newName: The name of a new region; nil for the one that was given, or else that of the map.
    ///   - sign: Signs the map as the person who imports it; nil for no signature. A map that was joined is not signed, and a
    ///     signature that is there stays.
    /// - Throws: `RegionStoreError`; see ``RegionStore/importMap(at:name:routing:updating:progress:)``. After an error, the
    ///   regions are unchanged.
    package func store(
        updating regionID: UUID? = nil,
        expecting expected: ContentDigest? = nil,
        named newName: String? = nil,
        signed sign: ((_ map: ContentDigest) throws -> MapSignature?)? = nil
    ) throws -> StoredRegion {
        let newName = try newName.map { try RegionStore.checked(name: $0) }
        let former = try regionID.map { try target.region($0).mapDigest }
        let joined = try isPart ? regionID.flatMap(join) : nil
        let signature = joined == nil ? try sign?(map.contents.digest) : nil
        let map = joined?.map ?? map
        let change = try joined?.change ?? regionID.flatMap(change)
        var isOfFormer = true
        // With the exclusive lock, because two simultaneous imports of one map would create two regions.
        var stored = try target.folders.alone {
            if let regionID {
                let region = try target.region(regionID)
                try checkFit(to: region)
                isOfFormer = former == region.mapDigest
                let isExpected =
                    [nil, region.mapDigest].contains(expected) || region.mapDigest == self.map.contents.digest
                guard isExpected, joined == nil || isOfFormer else {
                    throw RegionStoreError(
                        .conflict,
                        "“\(region.name)” was changed in the meantime.",
                        remedy: "Import the map again."
                    )
                }
            }
            let id = try regionID ?? target.region(withMap: map.contents.digest) ?? UUID()
            let keepsRouting = try graph != nil || joined != nil || hasFittingRouting(id)
            // The existing file may be missing or damaged; this one is complete.
            try target.move(.mbtiles, map.contents.digest, of: id, from: workspace)
            if let graph { try target.move(.routing, graph.contents.digest, of: id, from: workspace) }
            return try target.database.write { database in
                try write(
                    map,
                    id,
                    isUpdate: regionID != nil,
                    addsToMap: joined != nil,
                    named: newName ?? name,
                    keepsRouting: keepsRouting,
                    signature,
                    database
                )
            }
        }
        if stored.isUpdate || graph != nil { target.collectGarbage() }
        // Now, because it takes as long as reading the map, and the next transfer of it begins with it.
        target.folders.keptTileIndex(map.contents.digest, regionID: stored.region.id)
        stored.union = joined?.change.union
        if stored.isUpdate, isOfFormer, let difference = change?.difference {
            stored.difference = difference
            stored.newTileCount = difference.newCount
            let (tiles, isAll) = difference.news
            stored.changedRoutes = try? target.routes(under: tiles, of: stored.region.id, isAll: isAll)
        }
        return stored
    }

    /// Compares the file in the workspace with the map of a region; nil if that is the same, or cannot be compared.
    private func change(of regionID: UUID) throws -> MapChange? {
        let local = try target.database.read { try KnownFile.fetchOne(.mbtiles, of: regionID, $0) }
        guard local?.digest != map.contents.digest else { return nil }
        let new = workspace.folder.path(of: ResourceKind.mbtiles.rawValue)
        // The report lacks the numbers then.
        let limit = TileDigests.maximumCount
        return local.flatMap { try? target.difference(ofMapAt: new, since: $0, atMost: limit) }
            .map { MapChange(difference: $0) }
    }

    /// Adds the map, which is a part, to the map of a region; nil if that is this very map.
    private func join(
        to regionID: UUID
    ) throws -> (map: PreparedFile<MapDescription>, change: MapChange)? {
        try checkFit(to: try target.region(regionID))
        let local = try target.database.read { try RegionFileRecord.fetchOne(.mbtiles, of: regionID, $0) }
        guard let local, local.digest != map.contents.digest else { return nil }
        do {
            let joined = try JoinedMap(
                adding: map.contents.layout.size,
                to: local,
                in: workspace,
                target.folders,
                limits: { .importing(size: $0) }
            )
            // On the disk before the file gets its name, as the copy of any other map.
            try workspace.folder.openFile(ResourceKind.mbtiles.rawValue, O_RDONLY).synchronize()
            let file = PreparedFile(
                checked: joined.checked ?? map.checked,
                contents: joined.contents,
                stamp: joined.stamp
            )
            return (file, joined.change)
        } catch let error as SystemError {
            throw RegionStoreError.storage("written", "The map with the part", error)
        }
    }

    private func write(
        _ map: PreparedFile<MapDescription>,
        _ id: UUID,
        isUpdate: Bool,
        addsToMap: Bool,
        named name: String,
        keepsRouting: Bool,
        _ signature: MapSignature?,
        _ database: Database
    ) throws -> StoredRegion {
        // Removing a region takes no lock, so the region may be gone by now.
        let before = try RegionRecord.fetchOne(id, database)
        let hasMap = try RegionFileRecord.digests(of: id, database)[.mbtiles] == map.contents.digest
        if isUpdate {
            guard let before else { throw RegionStore.wasRemoved }
            try checkFit(to: try RegionStore.summary(id, database))
            try update(before, map, hasMap: hasMap, addsToMap: addsToMap, keepsRouting: keepsRouting, database)
        } else if before == nil {
            var record = RegionRecord(id: id, name: name, map: map.checked, createdAt: Date())
            record.cut = map.checked.cut(ofSize: map.contents.layout.size)
            try record.insert(database)
        }
        try RegionRecord.sign(id, signature, database)
        try map.record(.mbtiles, of: id).upsert(database)
        try graph?.record(.routing, of: id).upsert(database)
        return StoredRegion(
            region: try RegionStore.summary(id, database),
            isNew: before == nil,
            hasKnownTiles: map.checked.hasKnownTiles,
            isUpdate: isUpdate && !hasMap,
            isPart: isUpdate && map.checked.isPart || addsToMap,
            oddities: oddities
        )
    }

    private func update(
        _ before: RegionRecord,
        _ map: PreparedFile<MapDescription>,
        hasMap: Bool,
        addsToMap: Bool,
        keepsRouting: Bool,
        _ database: Database
    ) throws {
        var record =
            hasMap ? before : RegionRecord(id: before.id, name: before.name, map: map.checked, createdAt: Date())
        if addsToMap, !hasMap {
            record.createdAt = before.createdAt
            let part = self.map.checked.cut(ofSize: size)
            let joined = before.cut.flatMap { former in part.map(former.joined) }
            record.cut = joined.flatMap { map.checked.tileCount < $0.wholeTileCount ? $0 : nil }
            // The added tiles may be those of another map.
            record.cut?.isSizeEstimated = true
            record.announcedTileCount = max(before.announcedTileCount, map.checked.tileCount)
            record.keepArea(of: before)
        }
        if let givenName { record.name = givenName }
        try record.update(database)
        if !keepsRouting, !hasMap {
            try RegionFileRecord.fetchOne(.routing, of: before.id, database)?.delete(database)
        }
    }

    /// Checks that a region's map may be replaced by this one, or get its tiles.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.invalidArgument` if it may not.
    package func checkFit(to region: RegionSummary) throws {
        guard region.foreign == nil else { throw RegionStore.isOfAnotherKind(region) }
        guard region.place.overlaps(map.checked.place) else { throw RegionStore.coversAnotherArea(region) }
    }

    /// Returns whether the routing database of a region is for the area of the map, or cannot be read.
    private func hasFittingRouting(_ id: UUID) throws -> Bool {
        let file = try target.database.read { try KnownFile.fetchOne(.routing, of: id, $0) }
        guard let file else { return true }
        let path = target.folders.path(of: file)
        let database = try? UntrustedDatabase(path, .immutable, within: .importing(size: file.size))
        guard let database, let routing = try? RoutingFile(checking: database) else { return true }
        return routing.statedBounds.map(map.checked.place.overlaps) != false
    }
}
