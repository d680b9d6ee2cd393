import FoundationEssentials
import Glibc
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Copies what a store has of an incoming resource.
///
/// The store may have changed since it was searched, and the disk may have damaged a file. So each chunk counts only if it
/// matches its digest; the others are transferred.
struct LocalCopy {
    let store: RegionStore
    let region: Region
    let workspace: StoreWorkspace
    let entry: ManifestEntry
    /// The digests of the incoming resource's chunks.
    let digests: [ContentDigest]
    /// The file into which the resource is received.
    let target: OpenFile
    /// The chunks that are missing.
    var missing: RangeSet<Int>
    /// Whether a file of the store has taken the place of ``target``.
    private(set) var isLinked = false
    /// The stamp of that file; nil if it is unknown.
    private(set) var stamp: FileStamp?

    /// Copies chunks from a file.
    mutating func copy(_ runs: some Sequence<LocalPlaces.Run>, from file: OpenFile) throws {
        for run in runs {
            var offset = run.offset
            for chunk in run.chunks {
                let range = entry.layout.byteRange(of: chunk..<chunk + 1)
                let bytes = file.bytes(in: offset..<offset + UInt64(range.count))
                offset += UInt64(range.count)
                guard bytes.readableBytes == range.count, ContentDigest(hashing: bytes) == digests[chunk] else {
                    continue
                }
                try RegionStoreError.mapping("written", "The received \(entry.kind.title)") {
                    try target.write([bytes], at: range.lowerBound)
                }
                missing.remove(contentsOf: chunk..<chunk + 1)
            }
        }
    }

    /// Reuses a file of the store that has the same content.
    mutating func takeWholeFile() throws -> Bool {
        let local = entry.kind.rawValue + ".local"
        let candidates = try store.database.read { try KnownFile.fetchAll(entry.kind, digest: entry.digest, $0) }
        for candidate in candidates where store.folders.hardLink(candidate, to: workspace.folder, as: local) {
            guard try verify(local, known: candidate.stamp) else {
                try mapping { try workspace.folder.removeFile(local) }
                continue
            }
            // A rename, so that the resource is at each moment either the file that was begun or the whole one.
            try mapping { try workspace.folder.replace(entry.kind.rawValue, with: local) }
            (isLinked, missing) = (true, RangeSet())
            return true
        }
        return false
    }

    /// Verifies a file of the store.
    ///
    /// If the stamp shows that the file was not written to since it was last hashed, it is not hashed again.
    private mutating func verify(_ name: String, known: FileStamp?) throws -> Bool {
        let file = try mapping { try workspace.folder.openFile(name, O_RDONLY) }
        if let known, file.currentStamp() == known {
            stamp = known
            return true
        }
        // The stamp is taken before the file is read, so that a simultaneous write invalidates it.
        stamp = file.stamp()
        let contents = try FileDigester().digest(file, path: "The \(entry.kind.title) in the store")
        return contents.digest == entry.digest
    }

    func mapping<Result>(_ body: () throws -> Result) throws -> Result {
        try RegionStoreError.mapping("kept in the store", "“\(region.name)”", body)
    }
}
