import FoundationEssentials
import PeerProtocol
import PeerStorage

/// An offered resource, and the store that may already have parts of it.
///
/// Nothing is written.
struct ResourceSurvey {
    /// What is known of an offered resource without the digests of its chunks.
    enum Finding {
        /// No part of the resource is in the store.
        case nothingIsHere
        /// The whole resource is in the store.
        case everythingIsHere
        /// Parts of the resource may be in the store.
        case partsMayBeHere
    }

    let store: RegionStore
    let regionID: UUID
    let entry: ManifestEntry
    /// Whether the result is no longer needed.
    let isStopped: @Sendable () -> Bool

    /// The received part of the resource that an earlier transfer left; nil if there is none.
    var partial: OpenFile?

    /// Returns what is known of the resource without the digests of its chunks.
    func finding() throws -> Finding {
        let finding = try entry.kind.part?.survey(self) ?? .nothingIsHere
        if case .nothingIsHere = finding, partial != nil { return .partsMayBeHere }
        return finding
    }

    /// Returns the chunks that would be missing if the transfer began now.
    func missingChunks(_ digests: [ContentDigest]) throws -> ChunkRuns {
        let missing =
            try partial.map { data in
                try RegionStoreError.mapping("read", "The received part of the \(entry.kind.title)") {
                    () throws(SystemError) in
                    try FileDigester(isStopped: isStopped).missingChunks(of: entry.layout, digests, in: data)
                }
            } ?? entry.layout.allChunks
        return try entry.kind.part?.findChunks(missing, files(digests)) ?? missing
    }

    /// The files of the store.
    func files(_ digests: [ContentDigest]) -> LocalFiles {
        LocalFiles(store: store, regionID: regionID, entry: entry, digests: digests, isStopped: isStopped)
    }
}
