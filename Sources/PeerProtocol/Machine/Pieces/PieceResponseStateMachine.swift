/// What the sender does for a receiver that compares pages of one resource.
///
/// Every query begins behind the last one, so that no page is hashed twice in a transfer, whatever the receiver asks.
struct PageResponseStateMachine: Sendable {
    private enum State {
        /// Can become `hashing`.
        case idle
        /// The pages of these chunks are being hashed. Can become `listed`.
        case hashing(ChunkRuns)
        /// Their digests were sent. Can become `idle`.
        case listed(ChunkRuns)
    }

    private var state: State = .idle
    /// The first chunk that was not queried yet.
    private var next = 0

    /// Whether no round is under way.
    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// Takes a query; nil if it may not come now, or asks for too much.
    mutating func received(_ query: PageQuery, _ layout: ChunkLayout, maximumPageCount: Int) -> ChunkRuns? {
        guard case .idle = state, let chunks = layout.runs(validating: query.runs),
            let first = chunks.ranges.first, let last = chunks.ranges.last, first.lowerBound >= next,
            chunks.pageCount(in: layout) <= maximumPageCount
        else { return nil }
        next = last.upperBound
        state = .hashing(chunks)
        return chunks
    }

    /// The pages are hashed; false if that was not asked for.
    mutating func hashed() -> Bool {
        guard case .hashing(let chunks) = state else { return false }
        state = .listed(chunks)
        return true
    }

    /// The pages are hashed, and none of them will be requested; false if hashing was not asked for.
    ///
    /// Before the receiver has answered the offer, a query is the whole round.
    mutating func hashedForSurvey() -> Bool {
        guard case .hashing = state else { return false }
        state = .idle
        return true
    }

    /// Takes a request; nil if it may not come now, or asks for pages that were not queried.
    mutating func received(_ request: PageRequest, _ layout: ChunkLayout) -> (pages: PageRuns, chunks: ChunkRuns)? {
        guard case .listed(let chunks) = state,
            let pages = layout.pageRuns(validating: request.runs, inside: chunks)
        else { return nil }
        state = .idle
        return (pages, chunks)
    }
}
