import PeerProtocol

/// The chunks of a resource that are present.
struct ChunkMarks: Sendable {
    private let layout: ChunkLayout
    private var isThere: [Bool]

    /// Creates the marks of a resource without any chunk.
    init(_ layout: ChunkLayout) {
        self.layout = layout
        isThere = Array(repeating: false, count: layout.chunkCount)
    }

    /// Creates the marks of a resource that lacks some chunks.
    init(_ layout: ChunkLayout, allBut missing: ChunkRuns) {
        self.layout = layout
        isThere = Array(repeating: true, count: layout.chunkCount)
        for position in missing.ranges.joined() where isThere.indices.contains(position) { isThere[position] = false }
    }

    /// Marks chunks as present.
    mutating func insert(_ chunks: Range<Int>) {
        for position in chunks.clamped(to: isThere.indices) { isThere[position] = true }
    }

    /// Whether all chunks are present.
    var isComplete: Bool { !isThere.contains(false) }

    /// The chunks that are missing.
    var missing: ChunkRuns {
        Self.runs(in: layout) { !isThere[$0] }
    }

    /// Returns the chunks of a resource for whose positions `isIncluded` returns true.
    static func runs(in layout: ChunkLayout, where isIncluded: (Int) -> Bool) -> ChunkRuns {
        var runs: [Range<Int>] = []
        for position in 0..<layout.chunkCount where isIncluded(position) {
            let start = runs.last?.upperBound == position ? runs.removeLast().lowerBound : position
            runs.append(start..<position + 1)
        }
        return layout.runs(validating: runs) ?? layout.allChunks
    }
}
