/// Ascending, disjoint runs of bytes, known to be inside their resource.
///
/// Only a ``ChunkLayout`` makes some.
package struct ByteRuns: Hashable, Sendable {
    /// The bytes, run after run.
    package let ranges: [Range<UInt64>]

    fileprivate init(unchecked ranges: [Range<UInt64>]) { self.ranges = ranges }

    /// No byte at all.
    package static let none = ByteRuns(unchecked: [])

    /// The number of bytes in all runs together.
    package var byteCount: UInt64 { ranges.reduce(0) { $0 + UInt64($1.count) } }
}

extension ChunkLayout {
    /// The length of the pages into which a resource without other pieces is cut, in bytes.
    package static let pageLength: UInt64 = 4096

    /// Checks runs of bytes that came from elsewhere; nil unless they are ascending, disjoint, not empty and inside the resource.
    package func byteRuns(validating runs: [Range<UInt64>]) -> ByteRuns? {
        var end: UInt64 = 0
        for run in runs {
            guard run.lowerBound >= end, !run.isEmpty, run.upperBound <= size else { return nil }
            end = run.upperBound
        }
        return ByteRuns(unchecked: runs)
    }
}
