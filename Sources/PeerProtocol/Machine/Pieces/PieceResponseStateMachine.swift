/// What the sender does for a receiver that asks for the pieces of one resource.
///
/// Every query begins behind what the last list covered, and every request for bytes behind the last one. So no chunk is listed
/// twice and no byte of a piece is sent twice, whatever the receiver asks.
struct PieceResponseStateMachine: Sendable {
    private enum State {
        /// Can become `listing`.
        case idle
        /// The list of the first of these chunks is being made. Can become `idle`.
        case listing(ChunkRuns)
    }

    private var state: State = .idle
    /// The first chunk that was not listed yet.
    private var nextChunk = 0
    /// The first byte that was not requested yet.
    private var nextByte: UInt64 = 0
    /// How many requests for bytes are not answered.
    private var pendingCount = 0

    /// Whether no list is being made.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Takes a query; nil if it may not come now, or asks for what does not exist.
    mutating func received(_ query: PieceQuery, _ layout: ChunkLayout) -> ChunkRuns? {
        guard case .idle = state, let chunks = layout.runs(validating: query.runs), let first = chunks.ranges.first,
            first.lowerBound >= nextChunk
        else { return nil }
        state = .listing(chunks)
        return chunks
    }

    /// The list is made, of the chunks before `end`; false if none was asked for.
    mutating func listed(until end: Int) -> Bool {
        guard case .listing = state else { return false }
        state = .idle
        nextChunk = max(nextChunk, end)
        return true
    }

    /// Takes a request; nil if it may not come now, or asks for what does not exist.
    mutating func received(_ request: RangeRequest, _ layout: ChunkLayout) -> ByteRuns? {
        guard pendingCount < RangeRequest.maximumPendingCount, request.isInOrder,
            let runs = layout.byteRuns(validating: request.runs), let first = runs.ranges.first,
            let last = runs.ranges.last, first.lowerBound >= nextByte
        else { return nil }
        pendingCount += 1
        nextByte = last.upperBound
        return runs
    }

    /// The bytes of a request are sent.
    mutating func sent() { pendingCount = max(0, pendingCount - 1) }
}
