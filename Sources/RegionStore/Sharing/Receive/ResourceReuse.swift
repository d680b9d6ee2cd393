import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage
import RegionModel

/// An incoming resource, and the store that may already have parts of it.
struct ResourceReuse {
    let store: RegionStore
    let region: Region
    let workspace: StoreWorkspace
    let entry: ManifestEntry
    /// The digests of the incoming resource's chunks.
    let digests: [ContentDigest]
    /// The file into which the resource is received.
    let target: OpenFile

    /// The files of the store.
    var files: LocalFiles {
        LocalFiles(store: store, regionID: region.id, entry: entry, digests: digests)
    }

    /// Reuses a file of the store that has the same content.
    ///
    /// - Returns: Whether there is such a file, and its stamp if it is known.
    /// - Throws: `RegionStoreError` with `RegionStoreError.Code.storage`.
    func takeWholeFile() throws -> (isTaken: Bool, stamp: FileStamp?) {
        let local = entry.kind.rawValue + ".local"
        let candidates = try store.database.read { try KnownFile.fetchAll(entry.kind, digest: entry.digest, $0) }
        for candidate in candidates where store.folders.hardLink(candidate, to: workspace.folder, as: local) {
            let (isWhole, stamp) = try verify(local, known: candidate.stamp)
            guard isWhole else {
                try mapping { () throws(SystemError) in try workspace.folder.removeFile(local) }
                continue
            }
            try mapping { () throws(SystemError) in try workspace.folder.replace(entry.kind.rawValue, with: local) }
            return (true, stamp)
        }
        return (false, nil)
    }

    /// Verifies a file of the store and returns its stamp.
    ///
    /// If the stamp shows that the file was not written to since it was last hashed, it is not hashed again.
    private func verify(_ name: String, known: FileStamp?) throws -> (isWhole: Bool, stamp: FileStamp?) {
        let file = try mapping { () throws(SystemError) in try workspace.folder.openFile(name, O_RDONLY) }
        if let known, file.currentStamp() == known { return (true, known) }
        // The stamp is taken before the file is read, so that a simultaneous write invalidates it.
        let stamp = file.stamp()
        let contents = try FileDigester().digest(file, path: "The \(entry.kind.title) in the store")
        return (contents.digest == entry.digest, stamp)
    }

    func mapping<Result>(_ body: () throws(SystemError) -> Result) throws -> Result {
        try RegionStoreError.mapping("kept in the store", "“\(region.name)”", body)
    }
}
