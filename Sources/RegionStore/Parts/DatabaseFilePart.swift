import FoundationEssentials
import GRDB
import Glibc
import PeerProtocol
import PeerStorage

/// A part that is an SQLite file in the region's folder: sent as it is, checked, and moved into place.
protocol DatabaseFilePart: RegionPart {
    /// How the names of these files end.
    var fileSuffix: String { get }

    /// Whether a region whose file is gone is sent without it.
    var isDispensable: Bool { get }
}

extension DatabaseFilePart {
    var form: PartForm { .file }

    func read(into offer: inout OfferDraft, _ database: Database) throws {
        guard let file = try RegionFileRecord.fetchOne(kind, of: offer.region.id, database),
            let path = try hold(file, for: offer)
        else { return }
        offer.resources[kind] = {
            RegionSource.Resource(
                content: .file(path: path),
                contents: .init(layout: file.layout, chunkDigests: file.chunkDigests, digest: file.digest)
            )
        }
    }

    /// Makes a file stay as long as the offer and returns its path; nil for a dispensable file that is gone.
    private func hold(_ file: RegionFileRecord, for offer: OfferDraft) throws -> String? {
        let (folders, workspace) = (offer.store.folders, offer.workspace)
        let path = folders.path(of: file)
        do throws(SystemError) {
            let folder = try folders.regions.folder(file.regionID.uuidString)
            guard try folder.openFile(file.fileName, O_RDONLY).size() == file.layout.size else {
                throw SystemError(number: ENOENT)
            }
            try workspace.folder.hold(file.fileName, of: folder, as: kind.rawValue)
            return workspace.folder.path(of: kind.rawValue)
        } catch {
            if error.number == ENOENT, isDispensable { return nil }
            var failure = RegionStoreError.storage("read", path, error)
            if error.number == ENOENT { failure.remedy = "Import the map again to restore the file." }
            throw failure
        }
    }

    /// Checks that a file is large enough to be an SQLite database.
    func checkSize(_ entry: ManifestEntry) throws {
        // An SQLite database has at least one page, and the smallest has 512 bytes.
        guard entry.size >= 512 else {
            throw ManifestValidator.refusal("the \(title) has \(entry.size) bytes")
        }
    }

    func reuse(_ missing: ChunkRuns, _ local: ResourceReuse) throws -> ChunkRuns {
        local.store.reach(.copyLocalChunks)
        return try local.files.copyChunks(missing, to: local.target)
    }

    /// Points the region at the file; counts nothing if it is the one that it had.
    func merge(
        _ entry: ManifestEntry,
        _ commit: RegionCommit,
        _ before: RegionCommit.Before,
        _ database: Database
    ) throws -> MergeCounts {
        let (regionID, stamp) = (commit.region.id, commit.state.stamps[kind])
        var counts = MergeCounts()
        if let local = try KnownFile.fetchOne(kind, of: regionID, database), local.digest == entry.digest {
            // It was moved to the name of its digest just now.
            if local.oldFileName != nil { try RegionFileRecord.forgetOldName(kind, of: regionID, database) }
            if let stamp, stamp != local.stamp { try RegionFileRecord.note(stamp, kind, of: regionID, database) }
            return counts
        }
        let contents = FileDigester.Result(
            layout: entry.layout,
            chunkDigests: commit.state.chunkDigests[kind] ?? [],
            digest: entry.digest
        )
        try RegionFileRecord(regionID: regionID, kind: kind, contents: contents, stamp: stamp).upsert(database)
        counts.added = 1
        return counts
    }
}
