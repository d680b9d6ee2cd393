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
    var missing: ChunkRuns { layout.chunks { !isThere[$0] } }
}
