import FoundationEssentials
import Glibc
import PeerProtocol
import PeerStorage

/// A resource that is about to arrive, and the store that may have some of it already.
struct ResourceReuse {
    let store: RegionStore
    let region: Region
    let workspace: StoreWorkspace
    let entry: ManifestEntry
    /// The digests of the arriving resource's chunks.
    let digests: [ContentDigest]
    /// Where the resource arrives.
    let target: OpenFile

    /// The files that the store has.
    var files: LocalFiles {
        LocalFiles(store: store, regionID: region.id, entry: entry, digests: digests)
    }

    /// Puts a file of the store that has the same content where the resource would arrive.
    ///
    /// - Returns: What the file is like, if that is known; `isTaken` is false if the store has no such file.
    /// - Throws: ``RegionStoreError`` with ``RegionStoreError/Code/storage``.
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

    /// Says whether a file of the store is what it was, and what it is like: hashes it, unless nobody has written to it
    /// since that was done last.
    private func verify(_ name: String, known: FileStamp?) throws -> (isWhole: Bool, stamp: FileStamp?) {
        let file = try mapping { () throws(SystemError) in try workspace.folder.openFile(name, O_RDONLY) }
        if let known, file.currentStamp() == known { return (true, known) }
        // Before it is read: if somebody writes to it meanwhile, it will not be believed.
        let stamp = file.stamp()
        let contents = try FileDigester().digest(file, path: "The \(entry.kind.title) in the store")
        return (contents.digest == entry.digest, stamp)
    }

    func mapping<Result>(_ body: () throws(SystemError) -> Result) throws -> Result {
        try RegionStoreError.mapping("kept in the store", "“\(region.name)”", body)
    }
}
