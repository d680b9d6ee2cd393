/// The record of which requested chunks of a resource have not arrived.
///
/// A chunk is missing until its last byte has arrived. On each connection, the bytes of a frame continue where the previous frame
/// ended. After a complete chunk, the next frame begins the next requested chunk. If several connections are in use, it may begin
/// any chunk that no connection has begun.
struct ChunkArrival: Sendable {
    /// The last frame of a connection.
    private struct Stream {
        /// Where the next byte belongs.
        var position: UInt64
        /// Where the frame ends.
        let end: UInt64
    }

    /// Whether the chunks must arrive on the main connection, because lanes have lost them.
    let isForMainOnly: Bool
    private let layout: ChunkLayout
    /// The chunks that have not arrived completely.
    private var missing: RangeSet<Int>
    /// Those of them that no connection has begun.
    private var unbegun: RangeSet<Int>
    /// The last frame of each connection.
    private var streams: [Int: Stream] = [:]

    /// Awaits chunks of a resource.
    init(_ chunks: ChunkRuns, layout: ChunkLayout, isForMainOnly: Bool = false) {
        self.layout = layout
        self.isForMainOnly = isForMainOnly
        self.missing = RangeSet(chunks.ranges)
        self.unbegun = missing
    }

    /// Whether every chunk has arrived.
    var isComplete: Bool { missing.isEmpty }

    /// The chunks that have not arrived completely.
    var missingChunks: ChunkRuns {
        layout.runs(validating: Array(missing.ranges)) ?? .none
    }

    /// Records the beginning of a frame.
    ///
    /// - Parameters:
    ///   - header: The header of the frame.
    ///   - connection: The connection on which it arrives.
    ///   - isStriped: Whether several connections are in use.
    /// - Returns: Whether the frame is allowed there.
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
        streams[connection] = Stream(position: header.offset, end: end)
        return true
    }

    /// Records bytes of a connection's last frame.
    mutating func receivedBytes(_ count: Int, on connection: Int) {
        guard var stream = streams[connection] else { return }
        let first = Int(stream.position / layout.chunkLength)
        stream.position += min(UInt64(max(0, count)), stream.end - stream.position)
        streams[connection] = stream
        // The last chunk may be shorter than the others, so a division would not count it.
        let end = stream.position == layout.size ? layout.chunkCount : Int(stream.position / layout.chunkLength)
        if first < end { missing.remove(contentsOf: first..<end) }
    }

    /// Records the end of a connection.
    ///
    /// The chunks that it began and did not complete stay missing.
    mutating func connectionEnded(_ connection: Int) {
        streams[connection] = nil
    }

    /// Returns whether a chunk ends at an offset.
    private func isBoundary(_ offset: UInt64) -> Bool {
        offset == layout.size || offset % layout.chunkLength == 0
    }
}

/// The connections of a transfer, by number.
package enum ConnectionNumber {
    /// The connection with which the transfer began; lanes have higher numbers.
    package static let main = 0
}
