import FoundationEssentials
import GRDB
import PeerCore

/// Makes a region that has arrived visible: files first, then everything else in one transaction.
struct RegionCommit {
    let transfer: RegionTransfer
    let state: RegionTransfer.State

    private var store: RegionStore { transfer.store }
    private var region: Region { transfer.region }

    /// Puts the files in place and writes the transaction.
    ///
    /// Files that nobody knows, should this end in between, are collected later.
    func run() throws -> TransferReceipt {
        try store.folders.withSharedLock {
            store.reach(.placeFiles)
            for entry in fileEntries {
                try store.move(entry.kind, entry.digest, of: region.id, from: transfer.workspace)
            }
            store.reach(.beginTransaction)
            return try store.database.write(write)
        }
    }

    private var fileEntries: [ManifestEntry] {
        transfer.entries.filter { ResourceKind.regionFiles.contains($0.kind) }
    }

    private func write(_ database: Database) throws -> TransferReceipt {
        var receipt = TransferReceipt()
        store.reach(.writeRegion)
        try writeRegion(database)
        store.reach(.writeFiles)
        for entry in fileEntries where try writeFile(entry, database) {
            receipt.imported[entry.kind.rawValue] = 1
        }
        store.reach(.mergeItems)
        let lastWaypoint = try RegionItemRecord<Waypoint>.lastRowID(database)
        let routes = transfer.routes
        try merge(SavedRoute.self, .savedroutes, &receipt, database) { routes.contains($0.name) }
        try merge(PlannedRoute.self, .plannedroutes, &receipt, database) { routes.contains($0.name) }
        try merge(Waypoint.self, .waypoints, &receipt, database) { _ in true }
        store.reach(.mergePhotos)
        // After the waypoints: they are what photos belong to.
        try mergePhotos(&receipt, lastWaypoint, database)
        store.reach(.writeHistory)
        try TransferRecord.note(transfer.historyEntry(.completed, byteCount: state.byteCount), database)
        store.reach(.endTransaction)
        return receipt
    }

    private func writeRegion(_ database: Database) throws {
        let local = try RegionRecord.fetchOne(region.id, database)
        let filesNow = try RegionFileRecord.digests(of: region.id, database)
        let areAsAgreed = ResourceKind.regionFiles.allSatisfy { kind in
            filesNow[kind] == transfer.filesBefore[kind] || filesNow[kind] == transfer.manifest.entry(of: kind)?.digest
        }
        guard areAsAgreed else {
            // What would be replaced now is not what a person saw and agreed to.
            throw RegionStoreError(
                .conflict,
                "“\(region.name)” was changed on this machine while it was received.",
                remedy: "Run the command again: what has arrived is kept."
            )
        }
        guard let map = state.arrivals.map else {
            // Only routes and the like came; the region must still be there.
            guard local != nil else {
                throw RegionStoreError(.conflict, "“\(region.name)” was removed while parts of it were received.")
            }
            return
        }
        if var local, filesNow[.mbtiles] == transfer.manifest.entry(of: .mbtiles)?.digest {
            // The map stays, and so does what is known of it here, but for a name that nobody has chosen here.
            guard !local.isRenamed, transfer.replacesItems else { return }
            local.name = region.name
            return try local.update(database)
        }
        var record = RegionRecord(id: region.id, name: region.name, map: map, createdAt: region.createdAt)
        record.boundingBox = region.boundingBox
        record.zoomLevels = region.zoomLevels
        record.announcedTileCount = region.tileCount
        if let local, local.isRenamed {
            record.name = local.name
            record.isRenamed = true
        }
        try dropStaleRouting(database)
        try record.upsert(database)
    }

    /// A routing database that came with another map is not claimed for this one, unless the sender's was not wanted.
    private func dropStaleRouting(_ database: Database) throws {
        guard transfer.manifest.entry(of: .routing) == nil,
            let newMap = transfer.manifest.entry(of: .mbtiles),
            let oldMap = try KnownFile.fetchOne(.mbtiles, of: region.id, database),
            oldMap.digest != newMap.digest
        else { return }
        try RegionFileRecord.fetchOne(.routing, of: region.id, database)?.delete(database)
    }

    /// Points the region at a file; false if it is the one that it had.
    private func writeFile(_ entry: ManifestEntry, _ database: Database) throws -> Bool {
        let stamp = state.stamps[entry.kind]
        if let local = try KnownFile.fetchOne(entry.kind, of: region.id, database), local.digest == entry.digest {
            // It was moved to the name of its digest just now.
            if local.oldFileName != nil { try RegionFileRecord.forgetOldName(entry.kind, of: region.id, database) }
            if let stamp, stamp != local.stamp {
                try RegionFileRecord.note(stamp, entry.kind, of: region.id, database)
            }
            return false
        }
        let contents = FileDigester.Result(
            layout: entry.layout,
            chunkDigests: state.chunkDigests[entry.kind] ?? [],
            digest: entry.digest
        )
        try RegionFileRecord(regionID: region.id, kind: entry.kind, contents: contents, stamp: stamp).upsert(database)
        return true
    }

    /// Merges a list that was checked when it arrived, item by item from its file.
    private func merge<Item: RegionItem>(
        _ type: Item.Type,
        _ kind: ResourceKind,
        _ receipt: inout TransferReceipt,
        _ database: Database,
        where isWanted: (Item) -> Bool
    ) throws {
        guard let entry = transfer.entries.first(where: { $0.kind == kind }) else { return }
        var items = ItemCoding.reader(
            type,
            of: try transfer.arrivedFile(kind),
            size: entry.size,
            called: "The \(kind.title) that was sent"
        )
        var counts = MergeCounts()
        while let item = try items.next() {
            guard isWanted(item) else { continue }
            try RegionItemRecord.merge(
                item,
                into: region.id,
                replacing: transfer.replacesItems,
                &counts,
                database
            )
        }
        if counts.added > 0 || counts.updated > 0 { try ItemLimits.check(type, of: region.id, kind, database) }
        note(counts, kind, &receipt)
    }

    private func mergePhotos(
        _ receipt: inout TransferReceipt,
        _ lastWaypoint: Int64,
        _ database: Database
    ) throws {
        guard !state.arrivals.photos.isEmpty else { return }
        let file = try transfer.arrivedFile(.photos)
        let merge = PhotoMerge(
            regionID: region.id,
            replacing: transfer.replacesItems,
            lastWaypoint: lastWaypoint
        )
        var counts = MergeCounts()
        for entry in state.arrivals.photos {
            try merge.merge(entry, of: file, &counts, database)
        }
        note(counts, .photos, &receipt)
        if let digest = transfer.manifest.entry(of: .photos)?.digest { try MergedPhotoArchive.note(digest, database) }
    }

    private func note(_ counts: MergeCounts, _ kind: ResourceKind, _ receipt: inout TransferReceipt) {
        if counts.imported > 0 { receipt.imported[kind.rawValue] = counts.imported }
        if counts.keptLocal > 0 { receipt.keptLocal[kind.rawValue] = counts.keptLocal }
    }
}
