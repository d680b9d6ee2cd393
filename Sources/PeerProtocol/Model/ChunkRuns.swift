/// Ascending, disjoint runs of chunks, known to be inside their resource.
///
/// Only a ``ChunkLayout`` makes some, and parts of them are some.
public struct ChunkRuns: Hashable, Sendable {
    /// The positions of the chunks, run after run.
    public let ranges: [Range<Int>]

    init(unchecked ranges: [Range<Int>]) { self.ranges = ranges }

    /// No chunk at all.
    public static let none = ChunkRuns(unchecked: [])

    /// The same chunks in as few runs as possible.
    package var joined: ChunkRuns {
        var joined: [Range<Int>] = []
        for range in ranges {
            let start = joined.last?.upperBound == range.lowerBound ? joined.removeLast().lowerBound : range.lowerBound
            joined.append(start..<range.upperBound)
        }
        return ChunkRuns(unchecked: joined)
    }

    /// The number of chunks in all runs together.
    public var chunkCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Returns the number of bytes in all runs together.
    public func byteCount(in layout: ChunkLayout) -> UInt64 {
        ranges.reduce(0) { $0 + UInt64(layout.byteRange(of: $1).count) }
    }
}
