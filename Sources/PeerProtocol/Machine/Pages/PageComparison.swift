package import NIOCore

/// Finds the pages that differ from an older version's at the same place.
package struct PageComparison: Sendable {
    private let layout: ChunkLayout
    private let chunks: ChunkRuns
    private let digests: [PageDigest]

    /// Creates a comparison.
    ///
    /// - Parameters:
    ///   - layout: The resource's layout.
    ///   - chunks: The chunks to compare.
    ///   - digests: The digests of all their pages, in order.
    package init(layout: ChunkLayout, chunks: ChunkRuns, digests: [PageDigest]) {
        self.layout = layout
        self.chunks = chunks
        self.digests = digests
    }

    /// Compares.
    ///
    /// - Parameter older: Reads what the older version has at a place; fewer bytes if it ends before.
    /// - Returns: The pages that differ, in runs that end where a run of chunks does.
    package func differingPages(from older: (Range<UInt64>) -> ByteBuffer) -> PageRuns {
        var runs: [Range<Int>] = []
        var expected = digests.makeIterator()
        for chunkRun in chunks.ranges {
            let first = layout.pages(of: chunkRun).lowerBound
            for position in chunkRun {
                let bytes = older(layout.byteRange(of: position..<position + 1))
                let own = bytes.withUnsafeReadableBytes { PageDigest.digests(of: $0) }
                for (index, page) in layout.pages(of: position..<position + 1).enumerated() {
                    // A page that is cut off in one of the two versions has another digest there.
                    let digest = expected.next()
                    if index < own.count, own[index] == digest { continue }
                    if page > first, let last = runs.last, last.upperBound == page {
                        runs[runs.count - 1] = last.lowerBound..<page + 1
                    } else {
                        runs.append(page..<page + 1)
                    }
                }
            }
        }
        return layout.pageRuns(validating: runs, inside: chunks) ?? .none
    }
}
