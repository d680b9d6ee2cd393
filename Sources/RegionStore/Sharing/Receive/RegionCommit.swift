import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage
import RegionModel

/// Makes a received region visible: moves the files, and then commits everything else in one transaction.
struct RegionCommit {
    let transfer: IncomingRegion
    let state: IncomingRegion.State

    /// The state of the region before the commit.
    struct Before {
        /// The region's row; nil if the store does not have the region.
        var region: RegionRecord?
        var files: [ResourceKind: ContentDigest]
        /// The number of the last row of the waypoints, of all regions.
        var lastWaypoint: Int64
    }

    var region: Region { transfer.region }

    private var store: RegionStore { transfer.store }

    /// Moves the files to their final names and commits the transaction.
    ///
    /// If the process ends in between, the unreferenced files are removed later.
    func run() throws -> TransferReceipt {
        // No other process removes the files before the transaction names them.
        try store.folders.withSharedLock {
            store.reach(.placeFiles)
            for entry in entries(.file) {
                try store.move(entry.kind, contents(of: entry).digest, of: region.id, from: transfer.workspace)
            }
            store.reach(.beginTransaction)
            return try store.database.write(write)
        }
    }

    /// Returns what the region gets for a resource: what was received, or the map to which a received part was added.
    func contents(of entry: ManifestEntry) -> FileDigester.Result {
        if entry.kind == .mbtiles, let joined = state.joinedMap { return joined }
        return FileDigester.Result(
            layout: entry.layout,
            chunkDigests: state.chunkDigests[entry.kind] ?? [],
            digest: entry.digest
        )
    }

    private func entries(_ form: PartForm) -> [ManifestEntry] {
        transfer.entries.filter { $0.kind.part?.form == form }
    }

    private func write(_ database: Database) throws -> TransferReceipt {
        var receipt = TransferReceipt()
        store.reach(.writeRegion)
        let before = Before(
            region: try RegionRecord.fetchOne(region.id, database),
            files: try RegionFileRecord.digests(of: region.id, database),
            lastWaypoint: try RegionItemRecord<Waypoint>.lastRowID(database)
        )
        try checkAgreement(before)
        try ReceivedEdit.begin(in: region.id, database)
        for part in RegionPartList.all { try part.updateRegion(self, before, database) }
        store.reach(.writeFiles)
        try merge(.file, before, &receipt, database)
        store.reach(.mergeItems)
        try merge(.list, before, &receipt, database)
        store.reach(.mergePhotos)
        // Photos last: they belong to waypoints, which must be there.
        try merge(.archive, before, &receipt, database)
        try ReceivedEdit.end(in: region.id, database)
        store.reach(.writeHistory)
        try TransferRecord.note(transfer.historyEntry(.completed, byteCount: state.byteCount), database)
        store.reach(.endTransaction)
        for edit in region.edits where edit.name == nil {
            guard let offered = try OfferedEdit.compare(edit, in: region.id, database) else { continue }
            receipt.changes.append(ItemChange(.removedBySender, of: edit.kind, named: offered.localName))
        }
        // What was lost or kept matters more than what is new.
        let order: [ItemChange.Outcome] = [.kept, .replaced, .removedBySender, .staysRemoved, .added]
        receipt.changes = order.flatMap { outcome in receipt.changes.filter { $0.outcome == outcome } }
        receipt.changes = Array(receipt.changes.prefix(ItemChange.maximumCount))
        return receipt
    }

    /// Checks that the replaced files are those that the person saw and agreed to replace.
    private func checkAgreement(_ before: Before) throws {
        let filesAreAsAgreed = ResourceKind.regionFiles.allSatisfy { kind in
            let now = before.files[kind]
            return now == transfer.filesBefore[kind] || now == transfer.manifest.entry(of: kind)?.digest
        }
        guard filesAreAsAgreed else {
            throw before.region == nil ? Self.removed(region) : Self.changed(region)
        }
    }

    /// The error of a region that was here, and that a person has removed.
    static func removed(_ region: Region) -> RegionStoreError {
        RegionStoreError(
            .conflict,
            "“\(region.name)” was removed from this machine during the transfer.",
            remedy: "To have it nevertheless, receive it again: received data is kept."
        )
    }

    /// The error of a region whose files are not those any more that a person, or a rule, has agreed to replace.
    static func changed(_ region: Region) -> RegionStoreError {
        RegionStoreError(
            .conflict,
            "“\(region.name)” changed on this machine during the transfer.",
            remedy: "Try again: received data is kept."
        )
    }

    private func merge(
        _ form: PartForm,
        _ before: Before,
        _ receipt: inout TransferReceipt,
        _ database: Database
    ) throws {
        for part in RegionPartList.all where part.form == form {
            guard let entry = transfer.entries.first(where: { $0.kind == part.kind }) else { continue }
            let counts = try part.merge(entry, self, before, database)
            if counts.imported > 0 { receipt.imported[entry.kind.rawValue] = counts.imported }
            if counts.keptLocal > 0 { receipt.keptLocal[entry.kind.rawValue] = counts.keptLocal }
            // All items of a new region are new.
            receipt.changes += before.region == nil ? [] : counts.changes
        }
    }
}
