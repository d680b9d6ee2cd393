/// How a resource of a given size is cut into chunks.
///
/// The chunk length is a power of two: 16 KiB up to 1 GiB of size, then doubling so that no resource has more than
/// 65,536 chunks. The last chunk may be shorter. An empty resource has none. The layout follows from the size alone;
/// both sides compute it and neither believes the other's. (Wire format, "Chunks".)
public struct ChunkLayout: Hashable, Sendable {
    /// The length of the chunks of small resources, in bytes.
    public static let minimumChunkLength: UInt64 = 16 * 1024

    /// The largest number of chunks that a resource has.
    public static let maximumChunkCount: UInt64 = 65_536

    /// The largest resource, in bytes: 256 GiB, in chunks of 4 MiB.
    public static let maximumSize: UInt64 = 256 * 1024 * 1024 * 1024

    /// The size of the resource, in bytes.
    public let size: UInt64

    /// The length of every chunk but the last, in bytes.
    public let chunkLength: UInt64

    /// The number of chunks.
    public let chunkCount: Int

    /// Creates the layout for a size; nil above ``maximumSize``.
    public init?(size: UInt64) {
        guard size <= Self.maximumSize else { return nil }
        var length = Self.minimumChunkLength
        while size > length * Self.maximumChunkCount { length *= 2 }
        self.size = size
        self.chunkLength = length
        self.chunkCount = Int((size + length - 1) / length)
    }

    /// Returns the bytes of the resource that a run of consecutive chunks covers, as far as they are inside it.
    public func byteRange(of positions: Range<Int>) -> Range<UInt64> {
        let inside = positions.clamped(to: 0..<chunkCount)
        let start = min(UInt64(inside.lowerBound) * chunkLength, size)
        return start..<min(UInt64(inside.upperBound) * chunkLength, size)
    }

    /// The runs that cover the whole resource.
    public var allChunks: ChunkRuns { ChunkRuns(unchecked: chunkCount == 0 ? [] : [0..<chunkCount]) }

    /// Checks runs of chunks that came from elsewhere; nil unless they are ascending, disjoint, not empty and inside
    /// the resource.
    public func runs(validating runs: [Range<Int>]) -> ChunkRuns? {
        var end = 0
        for run in runs {
            guard run.lowerBound >= end, !run.isEmpty, run.upperBound <= chunkCount else { return nil }
            end = run.upperBound
        }
        return ChunkRuns(unchecked: runs)
    }

    /// Returns the chunks at the positions for which `isIncluded` returns true.
    package func chunks(where isIncluded: (Int) -> Bool) -> ChunkRuns {
        ChunkRuns(unchecked: (0..<chunkCount).filter(isIncluded).map { $0..<$0 + 1 }).joined
    }
}
