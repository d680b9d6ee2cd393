/// Pages: what the chunks that a receiver lacks are cut into, to be compared with an older version.
///
/// A page is 4 KiB, SQLite's usual page; the last one of a resource may be shorter. Chunks are whole numbers of pages.
/// (Wire format, "Pages".)
extension ChunkLayout {
    /// The length of every page but the last, in bytes.
    package static let pageLength: UInt64 = 4096

    /// Returns the positions of the pages in a run of consecutive chunks, as far as they are inside the resource.
    package func pages(of positions: Range<Int>) -> Range<Int> {
        let bytes = byteRange(of: positions)
        let end = (bytes.upperBound + Self.pageLength - 1) / Self.pageLength
        return Int(bytes.lowerBound / Self.pageLength)..<Int(end)
    }

    /// Returns the bytes of the resource that a run of consecutive pages covers, as far as they are inside it.
    package func byteRange(ofPages positions: Range<Int>) -> Range<UInt64> {
        let inside = positions.clamped(to: pages(of: 0..<chunkCount))
        let start = min(UInt64(inside.lowerBound) * Self.pageLength, size)
        return start..<min(UInt64(inside.upperBound) * Self.pageLength, size)
    }

    /// Checks runs of pages that came from elsewhere; nil unless they are ascending, disjoint, not empty, and each of
    /// them inside one of the runs of chunks.
    package func pageRuns(validating runs: [Range<Int>], inside chunks: ChunkRuns) -> PageRuns? {
        var around = chunks.ranges[...]
        var end = 0
        for run in runs {
            guard run.lowerBound >= end, !run.isEmpty else { return nil }
            while let first = around.first, pages(of: first).upperBound <= run.lowerBound { around.removeFirst() }
            guard let first = around.first, pages(of: first).contains(run.lowerBound),
                run.upperBound <= pages(of: first).upperBound
            else { return nil }
            end = run.upperBound
        }
        return PageRuns(unchecked: runs)
    }
}

/// Ascending, disjoint runs of pages, known to be inside their resource.
///
/// Only a ``ChunkLayout`` makes some.
package struct PageRuns: Hashable, Sendable {
    /// The positions of the pages, run after run.
    package let ranges: [Range<Int>]

    fileprivate init(unchecked ranges: [Range<Int>]) {
        self.ranges = ranges
    }

    /// No page at all.
    package static let none = PageRuns(unchecked: [])

    /// Returns the number of bytes in all runs together.
    package func byteCount(in layout: ChunkLayout) -> UInt64 {
        ranges.reduce(0) { $0 + UInt64(layout.byteRange(ofPages: $1).count) }
    }
}

extension ChunkRuns {
    /// Returns the number of pages in all runs together.
    package func pageCount(in layout: ChunkLayout) -> Int {
        ranges.reduce(0) { $0 + layout.pages(of: $1).count }
    }
}
