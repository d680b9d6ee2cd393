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
        offer.personal.photos += try PhotoRecord.all(of: id).fetchCount(database)
        guard let photos = try offer.store.writePhotos(of: id, to: folder, as: kind.rawValue, database) else { return }
        let path = folder.path(of: kind.rawValue)
        offer.resources[kind] = {
            RegionSource.Resource(
                content: .file(path: path),
                contents: try FileDigester().digest(photos, path: path)
            )
        }
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

    func survey(_ local: ResourceSurvey) throws -> ResourceSurvey.Finding {
        let count = try local.store.database.read { try PhotoRecord.all(of: local.regionID).fetchCount($0) }
        return count > 0 ? .partsMayBeHere : .nothingIsHere
    }

    func findChunks(_ missing: ChunkRuns, _ files: LocalFiles) throws -> ChunkRuns {
        let store = files.store
        let photos = try? store.database.read { database in
            try store.digestPhotos(of: files.regionID, database, isStopped: files.isStopped)
        }
        return try photos.map { try files.chunks(missing, notIn: $0) } ?? missing
    }

    /// Copies the chunks of the region's photos in the store.
    func reuse(_ missing: ChunkRuns, _ local: ResourceReuse) throws -> ChunkRuns {
        guard missing.chunkCount > 0 else { return missing }
        let (store, folder) = (local.store, local.workspace.folder)
        let name = kind.rawValue + ".local"
        defer { try? folder.removeFile(name) }
        // This only saves bytes. If there is not enough space, or there are too many photos, everything is transferred.
        let photos = try? store.database.read { database in
            try store.writePhotos(of: local.region.id, to: folder, as: name, database)
        }
        guard let photos, let contents = try? FileDigester().digest(photos, path: "The photos in the store") else {
            return missing
        }
        return try local.files.copyChunks(missing, from: photos, contents, to: local.target)
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
