package import FoundationEssentials
import GRDB
import MapFiles
public import PeerProtocol
public import PeerStorage
import RegionModel

extension RegionStore {
    /// Creates a sink that receives a region into this store.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of resources that the receiver will accept at most; nil for all. Disk space is required for
    ///     these only.
    ///   - replacesItems: Whether received hikes, routes, waypoints and photos replace older ones in the store. If not,
    ///     only items that the store does not have are added.
    /// - Returns: The sink.
    public func sink(wanting kinds: Set<ResourceKind>? = nil, replacesItems: Bool = true) -> RegionSink {
        RegionSink(store: self, kinds: kinds, routes: .all) { _ in replacesItems }
    }

    /// Creates a sink that receives a region, or some of its routes.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of resources that the receiver will accept at most; nil for all. Disk space is required for
    ///     these only.
    ///   - replacesItems: Whether received hikes, routes, waypoints and photos of a sender replace older ones in the store. If
    ///     not, only items that the store does not have are added.
    package func sink(
        wanting kinds: Set<ResourceKind>? = nil,
        routes: RouteSelection,
        replacesItems: @escaping @Sendable (RemotePeer) -> Bool = { _ in true }
    ) -> RegionSink {
        RegionSink(store: self, kinds: kinds, routes: routes, replacesItems: replacesItems)
    }
}

/// A sink that receives a region into a store, and records the transfer and its sender in the store's history.
///
/// ```swift
/// // Takes maps and hikes, and keeps those that are here.
/// let sink = store.sink(wanting: [.mbtiles, .savedroutes], replacesItems: false)
/// ```
public struct RegionSink: ResourceSink {
    let store: RegionStore
    let kinds: Set<ResourceKind>?
    let routes: RouteSelection
    let replacesItems: @Sendable (RemotePeer) -> Bool

    /// Whether hikes, routes or waypoints of a region that were edited on this machine stay, whatever a sender has.
    package var keepsOwnEdits: @Sendable (UUID, ResourceKind) -> Bool = { _, _ in false }

    /// Takes what a reception has done to the map that a region had; both maps are read only if it is set.
    package var noteMapChange: (@Sendable (MapChange) -> Void)?

    /// Takes what offered maps would do to those that regions have; nil if that is not needed.
    package var forecasts: MapForecasts?

    /// Whether a region still has the files with which an offer was compared; asked when the reception of it begins.
    package var isAsAgreed: @Sendable (_ files: [ResourceKind: ContentDigest]) -> Bool = { _ in true }

    /// What to do if the disk has too little space.
    package var spaceRemedy =
        "Free some space and try again, or receive less: fewer parts, or only the map along a route."

    /// The limits on the check of a database with a size in bytes; replaced by tests.
    var checkLimits: @Sendable (_ size: UInt64) -> CheckLimits = CheckLimits.receiving

    /// The available and total space of the store's disk, in bytes; replaced by tests.
    var space: @Sendable (RegionStore) throws -> (available: UInt64, total: UInt64) = { store in
        try RegionStoreError.mapping("measured", "The store") { try store.folders.root.space() }
    }

    /// Returns whether regions have resources of a kind.
    public func understands(_ kind: ResourceKind) -> Bool { ResourceKind.regionKinds.contains(kind) }

    /// Checks that an offer is consistent, and that the disk has enough space for it.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.refused` if the offer is invalid,
    ///   `RegionStoreError.Code.storage` if the space is not enough.
    public func examine(_ manifest: Manifest) throws {
        _ = try ManifestValidator(manifest)
        if !manifest.entries.contains(where: \.definesRegion) { try checkIsKnown(manifest) }
        try checkKind(of: manifest)
        try checkSpace(for: manifest.entries.filter { understands($0.kind) && kinds?.contains($0.kind) != false })
    }

    /// Returns what the store has of an offer; nothing if a running transfer receives the same files.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func presence(of manifest: Manifest) throws -> [ResourceKind: LocalPresence] {
        var found: [ResourceKind: LocalPresence] = [:]
        for entry in manifest.entries where understands(entry.kind) && kinds?.contains(entry.kind) != false {
            var hasPart = false
            if entry.kind.isKeptUnfinished {
                switch try store.folders.keptPart(of: entry) {
                case .inUse: return [:]
                case .kept: hasPart = true
                case .none: break
                }
            }
            let local = LocalSearch(store: store, regionID: manifest.id, entry: entry)
            found[entry.kind] = try entry.kind.part?.presence(local) ?? (hasPart ? .partial : nil)
        }
        return found
    }

    /// Locates the chunks of a resource that the store has.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the store cannot be read.
    public func locate(
        _ entry: ManifestEntry,
        of manifest: Manifest,
        digests: [ContentDigest],
        isStopped: @escaping @Sendable () -> Bool
    ) throws -> LocatedChunks {
        store.reach(.lookForChunks)
        let area = try? ManifestValidator(manifest).region.boundingBox
        let search = LocalSearch(
            store: store,
            regionID: manifest.id,
            entry: entry,
            area: area,
            forecasts: forecasts,
            isStopped: isStopped
        )
        return try search.locate(digests)
    }

    /// Begins a transfer.
    ///
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage` if the space is not enough,
    ///   `RegionStoreError.Code.conflict` if the same content is being received, or the region changed after the decision,
    ///   `RegionStoreError.Code.refused` if the map is not accepted and the store does not have the region.
    public func begin(
        _ manifest: Manifest,
        accepting kinds: Set<ResourceKind>,
        from peer: RemotePeer
    ) throws -> any IncomingTransfer {
        let region = try ManifestValidator(manifest).region
        let entries = manifest.entries.filter { kinds.contains($0.kind) && understands($0.kind) }
        if !entries.contains(where: \.definesRegion) { try checkIsKnown(manifest) }
        try checkKind(of: manifest)
        try checkSpace(for: entries)
        store.reach(.makeWorkspace)
        guard let workspace = try store.folders.workspace("receive-\(manifest.digest.hex)", in: store.folders.work)
        else {
            throw RegionStoreError(
                .conflict,
                "“\(region.name)” is already being received by this or another program.",
                remedy: "Wait until that transfer ends."
            )
        }
        let transfer = try IncomingRegion(
            store: store,
            partner: TransferPeer(peer),
            replacesItems: replacesItems(peer),
            keepsOwnEdits: { [keepsOwnEdits, id = manifest.id] in keepsOwnEdits(id, $0) },
            noteMapChange: noteMapChange,
            routes: routes,
            manifest: manifest,
            region: region,
            entries: entries,
            workspace: workspace,
            checkLimits: checkLimits
        )
        guard isAsAgreed(transfer.filesBefore) else { throw RegionCommit.changed(region) }
        return transfer
    }

    private func checkIsKnown(_ manifest: Manifest) throws {
        let isKnown = try store.database.read { try RegionRecord.fetchOne(manifest.id, $0) != nil }
        guard isKnown else {
            throw RegionStoreError(
                .refused,
                "The map is not part of the transfer, and the region is not on the receiving machine yet."
            )
        }
    }

    /// Checks that a map with tiles would not take the place of another program's file, nor the other way round, nor the file of
    /// one program that of another.
    private func checkKind(of manifest: Manifest) throws {
        guard let entry = manifest.entries.first(where: \.definesRegion) else { return }
        let (here, format) = try store.database.read { database in
            (
                try RegionFileRecord.digests(of: manifest.id, database),
                try RegionRecord.fetchOne(manifest.id, database)?.foreign?.format
            )
        }
        let isOther = here[entry.kind] == nil && here.keys.contains { $0.part?.definesRegion == true }
        // What an older version of this program did not know is of another program there.
        let offered = try manifest.region().foreign?.format
        let isOtherFormat = format != nil && format != .other && format != offered
        guard isOther || isOtherFormat, here[entry.kind] != entry.digest else { return }
        throw RegionStoreError(
            .refused,
            "The receiving machine has this region with a map of another kind.",
            remedy: "Remove that region first, or export what you want to keep."
        )
    }

    private func checkSpace(for entries: [ManifestEntry]) throws {
        let need = try entries.reduce(0 as UInt64) { sum, entry in
            let isThere = try store.database.read { database in
                try !KnownFile.fetchAll(entry.kind, digest: entry.digest, database).isEmpty
            }
            let need = entry.size - min(entry.size, store.folders.incoming.size(of: entry))
            return isThere ? sum : sum + need + (entry.kind.part?.spaceToMerge(entry) ?? 0)
        }
        try DiskSpace.check(
            need,
            of: space(store),
            remedy: spaceRemedy
        )
    }
}
