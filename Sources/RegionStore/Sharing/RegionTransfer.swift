import FoundationEssentials
import GRDB
import Glibc
import NIOCore
import PeerProtocol
import PeerStorage
import Synchronization

/// A region while it arrives.
///
/// Its bytes go to a workspace; the store sees nothing of it until ``commit()``. What has arrived of a map, a routing
/// database or photos stays for the next transfer of the same file, if this one comes to nothing.
final class RegionTransfer: IncomingTransfer {
    let store: RegionStore
    let partner: TransferPeer?
    let replacesItems: Bool
    /// Which hikes and planned routes are wanted.
    let routes: RouteSelection
    let manifest: Manifest
    let region: Region
    let entries: [ManifestEntry]
    let workspace: StoreWorkspace
    /// What the check of a database that has arrived may cost.
    let checkLimits: @Sendable (_ size: UInt64) -> CheckLimits
    let startedAt = Date()
    /// The map and the routing database that the region had here when somebody agreed to this transfer.
    let filesBefore: [ResourceKind: ContentDigest]
    /// The area in which everything must lie: that of the map that comes, or of the one that is here.
    private let area: BoundingBox
    private let files: [ResourceKind: OpenFile]
    private let state: Mutex<State>

    /// What has arrived so far.
    struct State {
        var chunkDigests: [ResourceKind: [ContentDigest]] = [:]
        /// How many bytes were missing when the transfer began, and how many of them have come.
        var missing: [ResourceKind: UInt64] = [:]
        var written: [ResourceKind: UInt64] = [:]
        var finished: Set<ResourceKind> = []
        var byteCount: UInt64 = 0
        var partialFiles: [ResourceKind: PartialFile] = [:]
        /// What the files that are taken from the store were like when they were verified.
        var stamps: [ResourceKind: FileStamp] = [:]
        var hasEnded = false
        /// Whether the transfer is about to end without a commit.
        var isStopped = false
        var arrivals: Arrivals

        init(_ routes: RouteSelection) {
            arrivals = Arrivals(routes: RouteSelection.Search(routes))
        }
    }

    /// What was found in the resources that are there.
    struct Arrivals {
        var map: MBTilesFile?
        /// The routes that are wanted by name and have not come yet.
        var routes: RouteSelection.Search
        var photos: [PhotoArchive.Entry] = []
    }

    init(
        store: RegionStore,
        partner: TransferPeer?,
        replacesItems: Bool,
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
        self.routes = routes
        self.state = Mutex(State(routes))
        self.manifest = manifest
        self.region = region
        self.entries = entries
        self.workspace = workspace
        self.checkLimits = checkLimits
        let (filesBefore, localArea) = try store.database.read { database in
            (
                try RegionFileRecord.digests(of: region.id, database),
                try RegionRecord.fetchOne(region.id, database)?.boundingBox
            )
        }
        self.filesBefore = filesBefore
        let map = entries.first { $0.kind == .mbtiles }?.digest
        let isNewMap = map != nil && map != filesBefore[.mbtiles]
        self.area = isNewMap ? region.boundingBox : localArea ?? region.boundingBox
        store.reach(.openPartialFiles)
        var files: [ResourceKind: OpenFile] = [:]
        var partialFiles: [ResourceKind: PartialFile] = [:]
        for entry in entries {
            if entry.kind == .photos { try MergedPhotoArchive.forget(entry.digest, store.database) }
            if entry.kind.isKeptUnfinished,
                let partial = try store.folders.partialFile(entry, of: region, in: workspace)
            {
                files[entry.kind] = partial.data
                partialFiles[entry.kind] = partial
                continue
            }
            files[entry.kind] = try RegionStoreError.mapping("written", "The store") { () throws(SystemError) in
                try workspace.folder.createFile(entry.kind.rawValue)
            }
        }
        self.files = files
        state.withLock { $0.partialFiles = partialFiles }
    }

    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest]) throws -> ChunkRuns {
        let file = try file(of: entry)
        guard digests.count == entry.layout.chunkCount,
            ContentDigest(resourceSize: entry.size, chunkDigests: digests) == entry.digest
        else { throw RegionStoreError(.refused, "The digests of the \(entry.kind.title) are not the ones announced.") }
        store.reach(.lookForChunks)
        state.withLock { $0.chunkDigests[entry.kind] = digests }
        let partial = state.withLock { $0.partialFiles[entry.kind] }
        if try takeFromStore(entry) {
            forget(entry.kind)
            return .none
        }
        var missing = try partial?.missingChunks(of: entry, digests: digests) ?? entry.layout.allChunks
        if Self.isFile(entry.kind) {
            store.reach(.copyLocalChunks)
            missing = try localFiles(entry, digests).copyChunks(missing, to: file)
        } else if entry.kind == .photos {
            missing = try takePhotos(missing, entry, digests, to: file)
        } else if try takeItems(entry, to: file) {
            missing = .none
        }
        state.withLock { $0.missing[entry.kind] = missing.byteCount(in: entry.layout) }
        return missing
    }

    func deltaBasis(of entry: ManifestEntry, for missing: ChunkRuns) throws -> DeltaBasis? {
        guard missing.chunkCount > 0, Self.isFile(entry.kind),
            let digests = state.withLock({ $0.chunkDigests[entry.kind] })
        else { return nil }
        return try localFiles(entry, digests).deltaBasis(for: missing)
    }

    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {
        let length = buffers.reduce(0 as UInt64) { $0 + UInt64($1.readableBytes) }
        store.reach(.writeChunks)
        try write(buffers, at: offset, of: entry, length: length, arrived: length)
    }

    func writeAssembled(_ chunk: ByteBuffer, at offset: UInt64, of entry: ManifestEntry, arrivedCount: Int) throws {
        let length = UInt64(chunk.readableBytes)
        store.reach(.writeAssembledChunk)
        try write([chunk], at: offset, of: entry, length: length, arrived: UInt64(arrivedCount))
    }

    private func write(
        _ buffers: [ByteBuffer],
        at offset: UInt64,
        of entry: ManifestEntry,
        length: UInt64,
        arrived: UInt64
    ) throws {
        let file = try file(of: entry)
        guard offset <= entry.size, length <= entry.size - offset else {
            throw RegionStoreError(.refused, "The \(entry.kind.title) has more bytes than were announced.")
        }
        do throws(SystemError) {
            try file.write(buffers, at: offset)
            try state.withLock { $0.partialFiles[entry.kind] }?.wrote(length)
        } catch {
            throw RegionStoreError.storage("written to the store", "The \(entry.kind.title) of “\(region.name)”", error)
        }
        state.withLock { state in
            state.byteCount += arrived
            state.written[entry.kind, default: 0] += length
        }
    }

    func finish(_ entry: ManifestEntry) throws {
        _ = try file(of: entry)
        guard state.withLock({ $0.chunkDigests[entry.kind] }) != nil else {
            throw RegionStoreError(
                .invalidArgument,
                "Nobody asked which chunks of the \(entry.kind.title) are missing."
            )
        }
        store.reach(.examineArrival)
        let file = try arrivedFile(entry.kind)
        let length = try mapping { () throws(SystemError) in try file.size() }
        let stillMissing = state.withLock { state in
            let (missing, written) = (state.missing[entry.kind] ?? 0, state.written[entry.kind] ?? 0)
            return missing - min(missing, written)
        }
        // What has not come is a hole in the file.
        let size = length - min(length, stillMissing)
        guard size == entry.size else {
            throw RegionStoreError(
                .refused,
                "The \(entry.kind.title) has \(size) bytes; \(entry.size) were announced."
            )
        }
        let check = ResourceValidator(
            region: region,
            area: area,
            entry: entry,
            path: workspace.folder.path(of: entry.kind.rawValue),
            limits: checkLimits,
            isCancelled: { [weak self] in self?.state.withLock { $0.hasEnded || $0.isStopped } ?? true }
        )
        var arrivals = state.withLock { $0.arrivals }
        do {
            try check.examine(file, &arrivals)
        } catch let error as RegionStoreError where error.code == .refused {
            // However often it comes, it will not be taken; and who lies about one thing is not trusted with the others.
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
            throw RegionStoreError(.invalidArgument, "The transfer cannot be committed: not everything is there.")
        }
        do {
            try state.arrivals.routes.check()
            store.reach(.synchronizeArrivals)
            try synchronize(&state.stamps)
            let receipt = try RegionCommit(transfer: self, state: state).run()
            store.reach(.removePartialFiles)
            for entry in entries { forget(entry.kind) }
            end()
            store.reach(.giveReceipt)
            return receipt
        } catch {
            abandon()
            throw error
        }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }

    func abandon() {
        guard end() else { return }
        let byteCount = state.withLock { $0.byteCount }
        // The transfer has failed already, for a better reason than a history that cannot be written.
        try? store.record(historyEntry(.abandoned, byteCount: byteCount))
    }

    func historyEntry(_ outcome: TransferHistoryEntry.Outcome, byteCount: UInt64) -> TransferHistoryEntry {
        TransferHistoryEntry(
            direction: .received,
            partner: partner ?? TransferPeer(id: nil, displayName: ""),
            regionID: region.id,
            regionName: region.name,
            startedAt: startedAt,
            endedAt: Date(),
            outcome: outcome,
            byteCount: byteCount
        )
    }

    private func wasNotBegunBefore(_ kind: ResourceKind) -> Bool {
        state.withLock { $0.partialFiles[kind]?.wasBegun == false }
    }

    /// Removes what has arrived of a file: it is whole in the store, or not wanted.
    private func forget(_ kind: ResourceKind) {
        state.withLock { $0.partialFiles.removeValue(forKey: kind) }?.remove()
    }

    /// Clears away; false if that was done before.
    @discardableResult
    private func end() -> Bool {
        let (isFirst, partialFiles) = state.withLock { state in
            defer {
                state.hasEnded = true
                // Whoever comes next may go on with the others.
                state.partialFiles = [:]
            }
            // In one order, so that the steps are the same each time.
            let partialFiles = entries.compactMap { entry in
                state.partialFiles[entry.kind].map { ($0, !$0.wasBegun && state.written[entry.kind] == nil) }
            }
            return (!state.hasEnded, partialFiles)
        }
        guard isFirst else { return false }
        for (partial, isEmpty) in partialFiles {
            // Nothing of a transfer goes on when it has ended; what went wrong matters to nobody any more.
            try? partial.finishSync()
            if isEmpty { partial.remove() }
        }
        store.reach(.removeWorkspace)
        workspace.remove()
        store.collectGarbage()
        return true
    }

    /// Opens what has arrived of a resource, by name: it may be a file that the store had.
    func arrivedFile(_ kind: ResourceKind) throws -> OpenFile {
        try mapping { () throws(SystemError) in try workspace.folder.openFile(kind.rawValue, O_RDONLY) }
    }

    /// Whether resources of a kind become files of the store.
    private static func isFile(_ kind: ResourceKind) -> Bool {
        ResourceKind.regionFiles.contains(kind)
    }

    /// Writes the list of what the region has here, if it is the list that would come; false if it is not.
    private func takeItems(_ entry: ManifestEntry, to file: OpenFile) throws -> Bool {
        let isTaken = try store.database.read { database -> Bool in
            switch entry.kind {
            case .savedroutes:
                try takeItems(entry, to: file, database) { (hike: SavedRoute) in hike.withoutHealthData() }
                    || takeItems(entry, to: file, database) { (hike: SavedRoute) in hike }
            case .plannedroutes:
                try takeItems(entry, to: file, database) { (route: PlannedRoute) in route }
            case .waypoints:
                try takeItems(entry, to: file, database) { (waypoint: Waypoint) in waypoint }
            default:
                false
            }
        }
        if !isTaken { try mapping { () throws(SystemError) in try file.resize(to: 0) } }
        return isTaken
    }

    private func takeItems<Item: RegionItem>(
        _ entry: ManifestEntry,
        to file: OpenFile,
        _ database: Database,
        _ change: (Item) -> Item
    ) throws -> Bool {
        var writer = ItemListWriter(to: file, atMost: entry.size)
        do {
            try RegionItemRecord<Item>.forEach(of: region.id, database) { try writer.append(change($0)) }
            try writer.finish()
        } catch is ItemListWriter.TooLarge {
            return false
        }
        guard writer.size == entry.size else { return false }
        return try FileDigester().digest(file, path: "The \(entry.kind.title) in the store").digest == entry.digest
    }

    /// Takes the chunks that the region's photos here have; returns the others.
    private func takePhotos(
        _ missing: ChunkRuns,
        _ entry: ManifestEntry,
        _ digests: [ContentDigest],
        to file: OpenFile
    ) throws -> ChunkRuns {
        guard missing.chunkCount > 0 else { return missing }
        let name = entry.kind.rawValue + ".local"
        defer { try? workspace.folder.removeFile(name) }
        // This only saves bytes: where there is no room for it, or too much of it, everything crosses.
        let local = try? store.database.read { database in
            try store.writePhotos(of: region.id, to: workspace.folder, as: name, database)
        }
        guard let local, let contents = try? FileDigester().digest(local, path: "The photos in the store") else {
            return missing
        }
        return try localFiles(entry, digests).copyChunks(missing, from: local, contents, to: file)
    }

    private func localFiles(_ entry: ManifestEntry, _ digests: [ContentDigest]) -> LocalFiles {
        LocalFiles(store: store, regionID: region.id, entry: entry, digests: digests)
    }

    private func file(of entry: ManifestEntry) throws -> OpenFile {
        guard let file = files[entry.kind], entries.contains(entry), !state.withLock({ $0.hasEnded }) else {
            throw RegionStoreError(.invalidArgument, "The \(entry.kind.title) is not part of this transfer.")
        }
        return file
    }

    /// Puts all that was written on the disk; then notes what files are like that were not taken from the store.
    private func synchronize(_ stamps: inout [ResourceKind: FileStamp]) throws {
        try mapping { () throws(SystemError) in
            for partial in state.withLock({ $0.partialFiles.values }) { try partial.finishSync() }
            for entry in entries where Self.isFile(entry.kind) {
                // By name: it may be a file that the store had.
                let file = try workspace.folder.openFile(entry.kind.rawValue, O_RDONLY)
                try file.synchronize()
                if stamps[entry.kind] == nil { stamps[entry.kind] = file.stamp() }
            }
            try workspace.folder.synchronize()
        }
    }

    /// Uses a file of the store that has the same content; false if there is none.
    private func takeFromStore(_ entry: ManifestEntry) throws -> Bool {
        let local = entry.kind.rawValue + ".local"
        let candidates = try store.database.read { try KnownFile.fetchAll(entry.kind, digest: entry.digest, $0) }
        for candidate in candidates {
            let isTaken = store.folders.hardLink(candidate, to: workspace.folder, as: local)
            guard isTaken else { continue }
            let (isWhole, stamp) = try verify(local, entry, known: candidate.stamp)
            guard isWhole else {
                try mapping { () throws(SystemError) in try workspace.folder.removeFile(local) }
                continue
            }
            state.withLock { $0.stamps[entry.kind] = stamp }
            try mapping { () throws(SystemError) in try workspace.folder.replace(entry.kind.rawValue, with: local) }
            return true
        }
        return false
    }

    /// Says whether a file of the store is what it was, and what it is like: hashes it, unless nobody has written to it
    /// since that was done last.
    private func verify(
        _ name: String,
        _ entry: ManifestEntry,
        known: FileStamp?
    ) throws -> (isWhole: Bool, stamp: FileStamp?) {
        let file = try mapping { () throws(SystemError) in try workspace.folder.openFile(name, O_RDONLY) }
        if let known, file.currentStamp() == known { return (true, known) }
        // Before it is read: if somebody writes to it meanwhile, it will not be believed.
        let stamp = file.stamp()
        let contents = try FileDigester().digest(file, path: "The \(entry.kind.title) in the store")
        return (contents.digest == entry.digest, stamp)
    }

    private func mapping<Result>(_ body: () throws(SystemError) -> Result) throws -> Result {
        try RegionStoreError.mapping("kept in the store", "“\(region.name)”", body)
    }
}
