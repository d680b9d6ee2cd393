import NIOCore

/// The chunks of a resource that were requested, and the bytes of those that have arrived in part.
///
/// A chunk is missing until its last byte has arrived. On each connection, the bytes of a frame continue where the previous frame
/// ended. After a complete chunk, the next frame begins the next requested chunk. If several connections are in use, it may begin
/// any chunk that no connection has begun.
struct ChunkArrival: Sendable {
    /// What a connection carries.
    private struct Stream {
        /// Gathers the bytes of whole chunks.
        var verifier: ChunkVerifier
        /// Where the last frame ends.
        var end: UInt64 = 0
    }

    /// Whether the chunks must arrive on the main connection, because lanes have lost them.
    let isForMainOnly: Bool
    private let layout: ChunkLayout
    private let digests: [ContentDigest]
    /// The chunks that have not arrived completely.
    private var missing: RangeSet<Int>
    /// Those of them that no connection has begun.
    private var unbegun: RangeSet<Int>
    private var streams: [Int: Stream] = [:]

    /// Awaits chunks of a resource.
    init(_ chunks: ChunkRuns, layout: ChunkLayout, digests: [ContentDigest], isForMainOnly: Bool = false) {
        self.layout = layout
        self.digests = digests
        self.isForMainOnly = isForMainOnly
        self.missing = RangeSet(chunks.ranges)
        self.unbegun = missing
    }

    /// Whether every chunk has arrived.
    var isComplete: Bool { missing.isEmpty }

    /// The chunks that have not arrived completely.
    var missingChunks: ChunkRuns { layout.runs(validating: Array(missing.ranges)) ?? .none }

    /// Records the beginning of a frame.
    mutating func begin(_ header: DataHeader, on connection: Int, isStriped: Bool) -> Bool {
        // Subtract only after the comparison: offset plus length may exceed 64 bits.
        guard header.length > 0, header.offset < layout.size, UInt64(header.length) <= layout.size - header.offset
        else { return false }
        let end = header.offset + UInt64(header.length)
        var first = Int(header.offset / layout.chunkLength)
        if let stream = streams[connection], !isBoundary(stream.end) {
            // The frame before ended in the middle of a chunk. This one continues there, and begins the chunks after it.
            guard header.offset == stream.end else { return false }
            first += 1
        } else {
            // On one connection, chunks come in the order of the request. Lanes get them as they have room.
            guard isBoundary(header.offset), isStriped || unbegun.ranges.first?.lowerBound == first else {
                return false
            }
        }
        let last = Int((end + layout.chunkLength - 1) / layout.chunkLength)
        if first < last {
            let begun = RangeSet(first..<last)
            // Each chunk is begun once, so a sender cannot send more than was requested.
            guard unbegun.isSuperset(of: begun) else { return false }
            unbegun.subtract(begun)
        }
        // Taken out of the dictionary, because a change would copy what it holds otherwise.
        var stream =
            streams.removeValue(forKey: connection)
            ?? Stream(verifier: ChunkVerifier(layout: layout, digests: digests))
        stream.verifier.expectBytes(from: header.offset)
        stream.end = end
        streams[connection] = stream
        return true
    }

    /// Takes bytes of a connection's last frame, and returns the chunks that they complete, not yet verified.
    ///
    /// - Throws: As ``ChunkVerifier/gather(_:)``.
    mutating func gather(
        _ buffers: [ByteBuffer],
        on connection: Int
    ) throws(ProtocolError) -> [ChunkVerifier.Gathered] {
        let gathered = try streams[connection]?.verifier.gather(buffers) ?? []
        for chunks in gathered { missing.remove(contentsOf: chunks.chunks) }
        return gathered
    }

    /// Records the end of a connection.
    ///
    /// The chunks that it began and did not complete stay missing.
    mutating func connectionEnded(_ connection: Int) { streams[connection] = nil }

    /// Returns whether a chunk ends at an offset.
    private func isBoundary(_ offset: UInt64) -> Bool {
        offset == layout.size || offset % layout.chunkLength == 0
    }
}
