import FoundationEssentials
import GRDB
import Glibc
import MapFiles
import PeerProtocol
import PeerStorage
import RegionModel

/// A part that is a file in the region's folder.
///
/// It is sent unchanged, checked by the receiver, and moved to its name.
protocol FilePart: RegionPart {
    /// The extension of the file names.
    var fileSuffix: String { get }

    /// Whether a region is sent without the file if the file is missing.
    var isDispensable: Bool { get }

    /// Whether the file is a set of tiles.
    var hasTiles: Bool { get }

    /// Makes the check that receivers make of the file that is offered.
    func checkOffered(_ path: String, size: UInt64) throws
}

extension FilePart {
    var form: PartForm { .file }

    var hasTiles: Bool { false }

    func read(into offer: inout OfferDraft, _ database: Database) throws {
        guard let file = try RegionFileRecord.fetchOne(kind, of: offer.region.id, database),
            let path = try hold(file, for: offer)
        else { return }
        let tileIndex = tileIndex(of: file.digest, regionID: file.regionID, in: offer.store.folders)
        offer.resources[kind] = {
            // An older version of the program may have imported what receivers do not accept.
            try checkOffered(path, size: file.layout.size)
            return RegionSource.Resource(
                content: .file(path: path),
                contents: .init(layout: file.layout, chunkDigests: file.chunkDigests, digest: file.digest),
                tileIndex: tileIndex
            )
        }
    }

    private func tileIndex(
        of digest: ContentDigest,
        regionID: UUID,
        in folders: StoreFolders
    ) -> (@Sendable () -> TileIndex?)? {
        guard hasTiles else { return nil }
        return { folders.keptTileIndex(digest, regionID: regionID) }
    }

    /// Keeps a file for the duration of the offer and returns its path; nil if an optional file is missing.
    private func hold(_ file: RegionFileRecord, for offer: OfferDraft) throws -> String? {
        let (folders, workspace) = (offer.store.folders, offer.workspace)
        let path = folders.regions.path(of: file.regionID.uuidString) + "/" + file.fileName
        do throws(SystemError) {
            let folder = try folders.regions.folder(file.regionID.uuidString)
            guard try folder.openFile(file.fileName, O_RDONLY).size() == file.layout.size else {
                throw SystemError(number: ENOENT)
            }
            try workspace.folder.hold(file.fileName, of: folder, as: kind.rawValue)
            return workspace.folder.path(of: kind.rawValue)
        } catch {
            if error.number == ENOENT, isDispensable { return nil }
            throw StoreFolders.cannotRead(path, error)
        }
    }

    func presence(_ local: LocalSearch) throws -> LocalPresence? {
        let store = local.store
        let (same, keys) = try store.database.read { database in
            (
                try KnownFile.fetchAll(kind, digest: local.entry.digest, database),
                try RegionFileRecord.keys(database)
            )
        }
        if same.contains(where: store.folders.isUnchanged) { return .whole(.whole) }
        // An older version can belong to any region.
        return keys.contains { $0.kind == kind } ? .partial : nil
    }

    func locate(
        _ missing: ChunkRuns,
        _ digests: [ContentDigest],
        _ local: LocalSearch,
        _ places: LocalPlaces
    ) throws -> LocatedChunks {
        try local.locateInFiles(missing, digests, places)
    }

    func copyChunks(_ places: LocalPlaces, _ local: inout LocalCopy) throws {
        local.store.reach(.copyLocalChunks)
        if places.isWhole, try local.takeWholeFile() { return }
        for (number, name) in places.files.enumerated() {
            guard let file = local.store.folders.open(name) else { continue }
            try local.copy(places.runs.lazy.filter { $0.file == number }, from: file)
        }
    }

    /// Sets the file of the region; counts nothing if the region already had the file.
    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts {
        let (regionID, stamp) = (commit.region.id, commit.state.stamps[kind])
        var counts = MergeCounts()
        let contents = commit.contents(of: entry)
        if let local = try KnownFile.fetchOne(kind, of: regionID, database), local.digest == contents.digest {
            if let stamp, stamp != local.stamp { try RegionFileRecord.note(stamp, kind, of: regionID, database) }
            return counts
        }
        try RegionFileRecord(regionID: regionID, kind: kind, contents: contents, stamp: stamp).upsert(database)
        counts.added = 1
        return counts
    }
}
