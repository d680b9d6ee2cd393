/// Walks through runs of chunks or of bytes: the sender takes bytes to send, and the receiver checks the order of arrivals.
package struct ChunkCursor: Hashable, Sendable {
    private let byteRanges: [Range<UInt64>]
    private var index = 0
    private var offset: UInt64

    /// The number of bytes in all runs that are still ahead.
    package private(set) var remaining: UInt64

    /// Creates a cursor before the first of the runs.
    package init(runs: ChunkRuns, layout: ChunkLayout) {
        self.init(runs.ranges.map { layout.byteRange(of: $0) })
    }

    /// Creates a cursor before the first of the runs of bytes.
    package init(_ runs: ByteRuns) { self.init(runs.ranges) }

    private init(_ byteRanges: [Range<UInt64>]) {
        let byteRanges = byteRanges.filter { !$0.isEmpty }
        self.byteRanges = byteRanges
        self.offset = byteRanges.first?.lowerBound ?? 0
        self.remaining = byteRanges.reduce(0) { $0 + UInt64($1.count) }
    }

    /// Whether nothing is ahead.
    package var isAtEnd: Bool { remaining == 0 }

    /// Takes the next piece: at most `maximum` bytes, never across two runs; nil at the end.
    package mutating func takeBytes(atMost maximum: Int) -> Range<UInt64>? {
        guard !isAtEnd, maximum > 0 else { return nil }
        let end = min(byteRanges[index].upperBound, offset + UInt64(maximum))
        let piece = offset..<end
        advance(to: end)
        return piece
    }

    /// Takes the next whole chunks of a run: those that fit into `maximum` bytes, and at least one.
    ///
    /// It must stand between two chunks; nil at the end.
    package mutating func takeChunks(atMost maximum: Int, layout: ChunkLayout) -> Range<Int>? {
        guard !isAtEnd else { return nil }
        let first = Int(offset / layout.chunkLength)
        let run = layout.byteRange(of: first..<layout.chunkCount).clamped(to: offset..<byteRanges[index].upperBound)
        let inRun = (UInt64(run.count) + layout.chunkLength - 1) / layout.chunkLength
        let count = min(inRun, max(1, UInt64(max(0, maximum)) / layout.chunkLength))
        let chunks = first..<first + Int(count)
        advance(to: layout.byteRange(of: chunks).upperBound)
        return chunks
    }

    /// Checks that a piece is the next one, lies within one run, and passes it; false otherwise.
    package mutating func pass(offset start: UInt64, length: Int) -> Bool {
        guard !isAtEnd, start == offset, length > 0, UInt64(length) <= byteRanges[index].upperBound - offset else {
            return false
        }
        advance(to: start + UInt64(length))
        return true
    }

    private mutating func advance(to end: UInt64) {
        remaining -= end - offset
        offset = end
        if offset == byteRanges[index].upperBound, index + 1 < byteRanges.count {
            index += 1
            offset = byteRanges[index].lowerBound
        }
    }
}
