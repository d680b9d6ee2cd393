import FoundationEssentials
import GRDB
import PeerProtocol
import PeerStorage
import RegionModel

/// The photos of waypoints, in one file.
struct PhotosPart: RegionPart {
    var kind: ResourceKind { .photos }
    var title: String { "photos" }
    var form: PartForm { .archive }

    func read(into offer: inout OfferDraft, _ database: Database) throws {
        let (id, folder) = (offer.region.id, offer.workspace.folder)
        let outside = try waypointsOutside(offer, database)
        let photos = try offer.store.writePhotos(of: id, to: folder, as: kind.rawValue, database) { owner, photo in
            guard !outside.contains(owner) else { return nil }
            guard let sent = offer.includesPhotoDetails ? photo : try photo.withoutDetails() else {
                offer.personal.withheldPhotos += 1
                return nil
            }
            try offer.personal.add(sent)
            return sent
        }
        guard let photos else { return }
        let path = folder.path(of: kind.rawValue)
        offer.resources[kind] = {
            RegionSource.Resource(
                content: .file(path: path),
                contents: try FileDigester().digest(photos, path: path)
            )
        }
    }

    /// The waypoints whose photos lie elsewhere, also if only photos are sent.
    private func waypointsOutside(_ offer: OfferDraft, _ database: Database) throws -> Set<UUID> {
        guard let place = offer.place else { return [] }
        var outside = offer.outside[.waypoints] ?? []
        _ = try RegionItemRecord<Waypoint>.forEachReadable(of: offer.region.id, database) { waypoint in
            if !place.contains(waypoint.coordinate) { outside.insert(waypoint.id) }
        }
        return outside
    }

    func checkOffer(_ entry: ManifestEntry?, of region: Region) throws {
        guard let entry else { return }
        guard entry.size.isMultiple(of: PhotoArchive.alignment) else {
            throw ManifestValidator.refusal(
                "the photos have \(entry.size) bytes, which is not a whole number of records"
            )
        }
        guard entry.size > 0, entry.size <= PhotoArchive.maximumSize else {
            throw ManifestValidator.refusal(
                "the photos have \(entry.size) bytes; at most \(PhotoArchive.maximumSize) are allowed"
            )
        }
    }

    /// The space for the photos in the database and its log.
    func spaceToMerge(_ entry: ManifestEntry) -> UInt64 { 2 * entry.size }

    func beginArrival(of entry: ManifestEntry, in store: RegionStore) throws {
        try MergedPhotoArchive.forget(entry.digest, store.database)
    }

    func presence(_ local: LocalSearch) throws -> LocalPresence? {
        let count = try local.store.database.read { try PhotoRecord.all(of: local.regionID).fetchCount($0) }
        return count > 0 ? .partial : nil
    }

    func locate(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        _ local: LocalSearch,
        _ places: LocalPlaces
    ) throws -> LocatedChunks {
        guard missing.chunkCount > 0 else { return LocatedChunks(missing: missing, places: places) }
        // If there are too many photos, everything is transferred.
        let photos = try? local.store.database.read { database in
            try local.store.digestPhotos(of: local.regionID, database, isStopped: local.isStopped)
        }
        guard let photos else { return LocatedChunks(missing: missing, places: places) }
        return try local.locate(missing, digests, in: photos, places)
    }

    /// Copies the chunks of the region's photos in the store.
    func copyChunks(_ places: LocalPlaces, _ local: inout LocalCopy) throws {
        guard !places.runs.isEmpty else { return }
        let (store, regionID, folder) = (local.store, local.region.id, local.workspace.folder)
        let name = kind.rawValue + ".local"
        defer { try? folder.removeFile(name) }
        // This only saves bytes. If there is not enough space, everything is transferred.
        let photos = try? store.database.read { database in
            try store.writePhotos(of: regionID, to: folder, as: name, database)
        }
        guard let photos else { return }
        try local.copy(places.runs, from: photos)
    }

    func examine(
        _ file: OpenFile,
        _ validator: ResourceValidator,
        _ arrivals: inout IncomingRegion.Arrivals
    ) throws {
        arrivals.findings[kind] = try PhotoArchive.entries(
            of: file,
            size: validator.entry.size,
            called: validator.name
        )
    }

    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts {
        var counts = MergeCounts()
        guard let photos = commit.state.arrivals.findings[kind] as? [PhotoArchive.Entry], !photos.isEmpty else {
            return counts
        }
        let file = try commit.transfer.arrivedFile(kind)
        let merge = PhotoMerge(
            regionID: commit.region.id,
            replacing: commit.transfer.replacesItems,
            lastWaypoint: before.lastWaypoint
        )
        for photo in photos { try merge.merge(photo, of: file, &counts, database) }
        try MergedPhotoArchive.note(entry.digest, database)
        return counts
    }
}
