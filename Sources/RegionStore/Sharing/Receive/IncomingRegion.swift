import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel
import Synchronization

/// The reception of a region.
///
/// The bytes are written to a workspace, and nothing is visible in the store before ``commit()``. If the transfer fails, the
/// received parts of the map, the routing database and the photos are kept for the next transfer of the same files.
final class IncomingRegion: IncomingTransfer {
    let store: RegionStore
    let partner: TransferPeer
    let replacesItems: Bool
    /// Whether items of a kind that were edited on this machine stay.
    let keepsOwnEdits: @Sendable (ResourceKind) -> Bool
    /// Takes what the transfer has done to the map of the region.
    let noteMapChange: (@Sendable (MapChange) -> Void)?
    /// The selected hikes and planned routes.
    let routes: RouteSelection
    let manifest: Manifest
    let region: Region
    let entries: [ManifestEntry]
    let workspace: StoreWorkspace
    /// The limits on the check of a received database.
    let checkLimits: @Sendable (_ size: UInt64) -> CheckLimits
    let startedAt = Date()
    /// The map and the routing database of the local region at the time when the person accepted the transfer.
    let filesBefore: [ResourceKind: ContentDigest]
    /// Where the map must be to which everything belongs: the incoming one, or the local one.
    private let place: MapPlace
    /// How old the local map is; nil if there is none.
    private let localEdition: MapEdition?
    private let files: [ResourceKind: OpenFile]
    let state: Mutex<State>

    init(
        store: RegionStore,
        partner: TransferPeer,
        replacesItems: Bool,
        keepsOwnEdits: @escaping @Sendable (ResourceKind) -> Bool,
        noteMapChange: (@Sendable (MapChange) -> Void)? = nil,
        routes: RouteSelection,
        manifest: Manifest,
        region: Region,
        entries: [ManifestEntry],
        workspace: StoreWorkspace,
        checkLimits: @escaping @Sendable (_ size: UInt64) -> CheckLimits
    ) throws {
        self.store = store
        self.partner = partner
        self.replacesItems = replacesItems
        self.keepsOwnEdits = keepsOwnEdits
        self.noteMapChange = noteMapChange
        self.routes = routes
        self.state = Mutex(State(routes))
        self.manifest = manifest
        self.region = region
        self.entries = entries
        self.workspace = workspace
        self.checkLimits = checkLimits
        let (filesBefore, local) = try store.database.read { database in
            (
                try RegionFileRecord.digests(of: region.id, database),
                try RegionRecord.fetchOne(region.id, database)
            )
        }
        self.filesBefore = filesBefore
        localEdition = local?.edition
        let hasNewArea = entries.contains { $0.definesRegion && $0.digest != filesBefore[$0.kind] }
        self.place = hasNewArea ? region.place : local?.place ?? region.place
        store.reach(.openPartialFiles)
        var files: [ResourceKind: OpenFile] = [:]
        var partialFiles: [ResourceKind: PartialFile] = [:]
        for entry in entries {
            try entry.kind.part?.beginArrival(of: entry, in: store)
            if entry.kind.isKeptUnfinished,
                let part = try store.folders.partialFile(entry, of: region, in: workspace)
            {
                files[entry.kind] = part.data
                let sync = GradualSync(every: store.folders.syncInterval) { () throws(SystemError) in
                    try part.synchronize()
                }
                partialFiles[entry.kind] = (part, sync)
                continue
            }
            files[entry.kind] = try RegionStoreError.mapping("written", "The store") {
                try workspace.folder.createFile(entry.kind.rawValue)
            }
        }
        self.files = files
        state.withLock { $0.partialFiles = partialFiles }
    }

    func missingChunks(
        of entry: ManifestEntry,
        digests: [ContentDigest],
        located: LocatedChunks
    ) throws -> ChunkRuns {
        let file = try file(of: entry)
        guard digests.count == entry.layout.chunkCount,
            ContentDigest(resourceSize: entry.size, chunkDigests: digests) == entry.digest
        else {
            throw RegionStoreError(.refused, "The digests of the \(entry.kind.title) do not match the announced ones.")
        }
        state.withLock { $0.chunkDigests[entry.kind] = digests }
        let places = located.places as? LocalPlaces ?? LocalPlaces()
        for index in places.unkeptIndexes {
            store.folders.keep(index.file, of: index.digest, regionID: index.regionID)
        }
        var local = LocalCopy(
            store: store,
            region: region,
            workspace: workspace,
            entry: entry,
            digests: digests,
            target: file,
            missing: RangeSet(entry.layout.allChunks.ranges)
        )
        if !places.isWhole, let part = state.withLock({ $0.partialFiles[entry.kind]?.part }), part.wasBegun {
            // It was read when chunks were located. It is read again only if it may have been written to since.
            let isUnchanged = places.stampOfKept.map { part.data.currentStamp() == $0 } == true
            let known = isUnchanged ? places.missingOfKept : nil
            local.missing = RangeSet(try (known ?? entry.missingChunks(digests, in: part.data)).ranges)
        }
        try entry.kind.part?.copyChunks(places, &local)
        if local.isLinked {
            state.withLock { [stamp = local.stamp] in $0.stamps[entry.kind] = stamp }
            forget(entry.kind)
        }
        let missing = entry.layout.runs(validating: Array(local.missing.ranges)) ?? entry.layout.allChunks
        state.withLock { $0.missing[entry.kind] = missing.byteCount(in: entry.layout) }
        return missing
    }

    func finish(_ entry: ManifestEntry) throws {
        _ = try file(of: entry)
        guard state.withLock({ $0.chunkDigests[entry.kind] }) != nil else {
            throw RegionStoreError(
                .invalidArgument,
                "The missing chunks of the \(entry.kind.title) were never determined."
            )
        }
        store.reach(.examineArrival)
        let file = try arrivedFile(entry.kind)
        let length = try mapping { try file.size() }
        let size = state.withLock { $0.arrivedSize(of: entry.kind, length: length) }
        guard size == entry.size else {
            throw RegionStoreError(
                .refused,
                "The \(entry.kind.title) has \(size) bytes; \(entry.size) were announced."
            )
        }
        let check = ResourceValidator(
            region: region,
            place: place,
            localEdition: localEdition,
            entry: entry,
            path: workspace.folder.path(of: entry.kind.rawValue),
            limits: checkLimits,
            isCancelled: { [weak self] in self?.state.withLock { $0.hasEnded || $0.isStopped } ?? true }
        )
        // A copy, because the check takes long, and takes the lock itself to ask whether it is still needed.
        var arrivals = state.withLock { $0.arrivals }
        do {
            try check.examine(file, &arrivals)
        } catch let error as RegionStoreError where error.code == .refused {
            // The file will never be accepted. Files that began to arrive from this sender are not kept either.
            for other in entries where other == entry || wasNotBegunBefore(other.kind) { forget(other.kind) }
            throw error
        }
        state.withLock { state in
            state.arrivals = arrivals
            state.finished.insert(entry.kind)
        }
    }

    func commit() throws -> TransferReceipt {
        var state = state.withLock { $0 }
        guard !state.hasEnded, state.finished == Set(entries.map(\.kind)) else {
            throw RegionStoreError(.invalidArgument, "The transfer cannot be committed: it is incomplete.")
        }
        do {
            try state.arrivals.routes.check()
            try joinCut(&state)
            if noteMapChange != nil, state.mapChange == nil { state.mapChange = mapChange() }
            store.reach(.synchronizeArrivals)
            // Before the transaction names the files: after a power cut, the database never has a file that the disk
            // has not.
            try synchronize(&state.stamps)
            let receipt = try RegionCommit(transfer: self, state: state).run()
            store.reach(.removePartialFiles)
            // After the commit: if this process dies before, the next transfer continues with these parts.
            for entry in entries { forget(entry.kind) }
            end()
            if let change = state.mapChange { noteMapChange?(change) }
            store.reach(.giveReceipt)
            return receipt
        } catch {
            abandon()
            throw error
        }
    }

    /// Compares the received map with that which the region has; nil if it has none, or if they cannot be compared.
    private func mapChange() -> MapChange? {
        guard let entry = entries.first(where: { $0.kind == .mbtiles }), filesBefore[.mbtiles] != entry.digest,
            let local = try? store.database.read({ try KnownFile.fetchOne(.mbtiles, of: region.id, $0) }),
            local.digest == filesBefore[.mbtiles]
        else { return nil }
        let path = workspace.folder.path(of: ResourceKind.mbtiles.rawValue)
        return (try? store.difference(ofMapAt: path, since: local)).map { MapChange(difference: $0) }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    func abandon() {
        guard end() else { return }
        let byteCount = state.withLock { $0.byteCount }
        // The transfer has already failed, so an error of the history is ignored.
        try? store.record(historyEntry(.abandoned, byteCount: byteCount))
    }

    func historyEntry(_ outcome: TransferHistoryEntry.Outcome, byteCount: UInt64) -> TransferHistoryEntry {
        TransferHistoryEntry(
            direction: .received,
            partner: partner,
            regionID: region.id,
            regionName: region.name,
            startedAt: startedAt,
            endedAt: Date(),
            outcome: outcome,
            byteCount: byteCount
        )
    }

    private func wasNotBegunBefore(_ kind: ResourceKind) -> Bool {
        state.withLock { $0.partialFiles[kind]?.part.wasBegun == false }
    }

    /// Removes the received part of a file that is complete in the store or was not accepted.
    private func forget(_ kind: ResourceKind) {
        state.withLock { $0.partialFiles.removeValue(forKey: kind) }?.part.remove()
    }

    /// Removes the workspace; returns false if that has already happened.
    @discardableResult
    private func end() -> Bool {
        guard let partialFiles = state.withLock({ $0.end(entries) }) else { return false }
        for (partial, isEmpty) in partialFiles {
            // The transfer has ended, so errors of running work are ignored.
            try? partial.sync.finish()
            if isEmpty { partial.part.remove() }
        }
        store.reach(.removeWorkspace)
        workspace.remove()
        store.collectGarbage()
        return true
    }

    /// Opens a received resource by its name, because it may be a file that the store already had.
    func arrivedFile(_ kind: ResourceKind) throws -> OpenFile {
        try mapping { try workspace.folder.openFile(kind.rawValue, O_RDONLY) }
    }

    func file(of entry: ManifestEntry) throws -> OpenFile {
        guard let file = files[entry.kind], entries.contains(entry), !state.withLock({ $0.hasEnded }) else {
            throw RegionStoreError(.invalidArgument, "The \(entry.kind.title) is not part of this transfer.")
        }
        return file
    }

    /// Synchronises all written files to the disk.
    ///
    /// Then records the stamps of those that do not come from the store.
    private func synchronize(_ stamps: inout [ResourceKind: FileStamp]) throws {
        try mapping {
            for partial in state.withLock({ $0.partialFiles.values }) { try partial.sync.finish() }
            for entry in entries where entry.kind.isFile {
                // By its name, because it may be a file that the store already had.
                let file = try workspace.folder.openFile(entry.kind.rawValue, O_RDONLY)
                try file.synchronize()
                if stamps[entry.kind] == nil { stamps[entry.kind] = file.stamp() }
            }
            try workspace.folder.synchronize()
        }
    }

    private func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        try RegionStoreError.mapping("kept in the store", "“\(region.name)”", body)
    }
}
