/// What of a request is still to come when it may come over several connections.
///
/// On each connection bytes go on where its last frame ended; between two chunks a connection may go on with any chunk that
/// was asked for and that none has begun.
struct StripedArrival: Sendable {
    private let layout: ChunkLayout
    /// The chunks of which nothing has come.
    private var missing = RangeSet<Int>()
    /// Where each connection goes on that has begun a chunk and not ended it.
    private var next: [Int: UInt64] = [:]

    /// Takes over from a single connection.
    ///
    /// - Parameters:
    ///   - cursor: What was still to come over it.
    ///   - layout: The resource's layout.
    init(_ cursor: ChunkCursor, layout: ChunkLayout) {
        self.layout = layout
        for range in cursor.rangesAhead {
            var first = Int(range.lowerBound / layout.chunkLength)
            if range.lowerBound % layout.chunkLength != 0 {
                next[SessionConnection.main] = range.lowerBound
                first += 1
            }
            let end = Int((range.upperBound + layout.chunkLength - 1) / layout.chunkLength)
            if first < end { missing.insert(contentsOf: first..<end) }
        }
    }

    /// Whether all chunks have begun to come.
    ///
    /// Those that a lane began and did not end are told of by ``ReceiverStateMachine/lanesEnded(_:missing:)``.
    var isAtEnd: Bool { missing.isEmpty && next.isEmpty }

    /// Takes a piece that comes over a connection; false if it may not come there.
    mutating func pass(_ header: DataHeader, on connection: Int) -> Bool {
        guard header.length > 0, header.offset < layout.size, UInt64(header.length) <= layout.size - header.offset
        else {
            return false
        }
        let end = header.offset + UInt64(header.length)
        var first = Int(header.offset / layout.chunkLength)
        if let expected = next[connection] {
            guard header.offset == expected else { return false }
            first += 1
        } else {
            guard header.offset % layout.chunkLength == 0 else { return false }
        }
        let last = Int((end + layout.chunkLength - 1) / layout.chunkLength)
        if first < last {
            let begun = RangeSet(first..<last)
            guard missing.isSuperset(of: begun) else { return false }
            missing.subtract(begun)
        }
        next[connection] = end == layout.size || end % layout.chunkLength == 0 ? nil : end
        return true
    }
}

/// The connections of a session, by number.
package enum SessionConnection {
    /// The connection with which the session began; lanes have higher numbers.
    package static let main = 0
}
