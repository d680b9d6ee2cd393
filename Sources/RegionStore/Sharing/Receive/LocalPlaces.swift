import FoundationEssentials
import PeerProtocol
import PeerStorage

/// Where a store has an incoming resource, or chunks of it.
///
/// It has no digests, only runs of chunks: at most 65,536 runs of some bytes each.
struct LocalPlaces: Sendable {
    /// Chunks that one file has one after the other.
    struct Run: Hashable, Sendable {
        /// The positions of the chunks in the incoming resource.
        var chunks: Range<Int>
        /// The position of the file in ``files``.
        let file: Int
        /// The offset of the first chunk in the file.
        let offset: UInt64
    }

    /// A file of a region.
    struct File: Hashable, Sendable {
        let regionID: UUID
        let name: String
    }

    /// The index of a map that was made for the search.
    struct UnkeptIndex: Sendable {
        let file: OpenFile
        let digest: ContentDigest
        let regionID: UUID
    }

    /// Whether the store has a file or a list with the same content.
    var isWhole = false
    /// The chunks that the received part of an earlier transfer lacks; nil if there is none.
    var missingOfKept: ChunkRuns?
    /// The stamp of that part when it was read; nil if a later write might leave the same one.
    var stampOfKept: FileStamp?
    /// The files in which chunks were found.
    var files: [File] = []
    /// The chunks that were found in them.
    var runs: [Run] = []
    /// The indexes that were made, which are kept once the person has accepted the offer.
    var unkeptIndexes: [UnkeptIndex] = []

    /// Notes that a file has a chunk.
    mutating func found(_ chunk: Int, in file: Int, at offset: UInt64, _ layout: ChunkLayout) {
        if let last = runs.last, last.file == file, last.chunks.upperBound == chunk,
            last.offset + UInt64(layout.byteRange(of: last.chunks).count) == offset
        {
            runs[runs.count - 1].chunks = last.chunks.lowerBound..<chunk + 1
        } else {
            runs.append(Run(chunks: chunk..<chunk + 1, file: file, offset: offset))
        }
    }
}

extension LocatedChunks {
    /// A resource that is in the store as a whole.
    static let whole = LocatedChunks(missing: .none, places: LocalPlaces(isWhole: true))
}
