package import NIOCore

/// A list of pieces that came, not yet read.
package struct ReceivedPieceList: Hashable, Sendable {
    /// The chunks that were queried; the list covers the first of them.
    package var query: ChunkRuns
    /// Those of them that are still missing.
    package var wanted: ChunkRuns
    /// The bytes of the list.
    package var bytes: ByteBuffer

    /// Creates a value.
    package init(query: ChunkRuns, wanted: ChunkRuns, bytes: ByteBuffer) {
        self.query = query
        self.wanted = wanted
        self.bytes = bytes
    }
}

/// The receiver's search for the bytes of one resource that it has nowhere.
///
/// It goes round by round, each over as many chunks as one list covers: ask for the list of their pieces, look for the pieces, ask
/// for the bytes of those that are missing, put the chunks together. A chunk that does not match its digest counts as
/// missing, and is requested once at the end like every other missing chunk. Lists that came before the selection are not asked
/// for again.
struct PieceRequestStateMachine: Sendable {
    private enum State {
        /// Can become `queried` or `comparing`, if there is anything left to compare.
        case idle
        /// The list of the first of these chunks is awaited; some of it may have come. Can become `comparing`.
        case queried(ChunkRuns, ByteBuffer)
        /// It came. Can become `arriving` or `idle`.
        case comparing(ChunkRuns)
        /// Bytes of its pieces are on the way, or have all come. Can become `idle`.
        case arriving(ChunkRuns, ChunkCursor)
    }

    /// What a search does next.
    enum Step: Equatable {
        /// Query these chunks.
        case query(ChunkRuns)
        /// Read this list.
        case read(ReceivedPieceList)
        /// Nothing is left to compare.
        case end
    }

    /// How many lists may find nearly nothing before the search ends.
    private static let maximumVainCount = 4

    private let layout: ChunkLayout
    private var missing: RangeSet<Int>
    private var comparable: RangeSet<Int>
    /// The lists that came before the selection, the next one first.
    private var lists: ArraySlice<ReceivedPieceList>
    private var vainCount = 0
    private var state: State = .idle

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - layout: The resource's layout.
    ///   - missing: All chunks that are missing.
    ///   - comparable: Those of them of which pieces may be present.
    ///   - lists: The lists that came before, in order.
    init(layout: ChunkLayout, missing: ChunkRuns, comparable: ChunkRuns, lists: [ReceivedPieceList] = []) {
        self.layout = layout
        self.missing = RangeSet(missing.ranges)
        self.comparable = RangeSet(comparable.ranges).intersection(self.missing)
        self.lists = lists[...]
    }

    /// The chunks that are to be asked for as a whole.
    var missingChunks: ChunkRuns { runs(missing) }

    /// Whether a list that was asked for has yet to come.
    var isAwaitingList: Bool {
        if case .queried = state { true } else { false }
    }

    /// Whether bytes that were asked for have yet to come, or the rest of a list of which a part has come.
    var isAwaitingData: Bool {
        switch state {
        case .arriving(_, let cursor): !cursor.isAtEnd
        // Before the first part, the sender reads the pieces from its disk.
        case .queried(_, let bytes): bytes.readableBytes > 0
        case .idle, .comparing: false
        }
    }

    /// Begins the next round.
    mutating func next() -> Step {
        guard case .idle = state else { return .end }
        while var list = lists.popFirst() {
            list.wanted = wanted(of: list.query)
            if comparable.isDisjoint(RangeSet(list.wanted.ranges)) { continue }
            state = .comparing(list.query)
            return .read(list)
        }
        let chosen = Array(comparable.ranges.prefix(PieceQuery.maximumRunCount))
        guard !chosen.isEmpty, let chunks = layout.runs(validating: chosen) else { return .end }
        state = .queried(chunks, ByteBuffer())
        return .query(chunks)
    }

    /// Takes a part of a list.
    ///
    /// - Returns: The list if it is complete, nil if more parts must come.
    /// - Throws: ``ProtocolError`` if the part was not asked for or is not the next one.
    mutating func received(_ part: PieceListPart) throws(ProtocolError) -> ReceivedPieceList? {
        guard case .queried(let chunks, var bytes) = state, part.bytes.readableBytes > 0,
            part.rest == 0 || part.bytes.readableBytes == PieceListPart.maximumLength
        else { throw Self.unasked }
        let length = bytes.readableBytes + part.bytes.readableBytes
        guard length + part.rest <= PieceList.maximumLength else {
            throw ProtocolError(.limitExceeded, "The other side sent a list of pieces that is too long.")
        }
        state = .idle
        bytes.writeImmutableBuffer(part.bytes)
        guard part.rest == 0 else {
            state = .queried(chunks, bytes)
            return nil
        }
        state = .comparing(chunks)
        return ReceivedPieceList(query: chunks, wanted: chunks, bytes: bytes)
    }

    /// Returns those chunks of a list that are still missing; none if no list is being compared.
    func wanted(of list: ChunkRuns) -> ChunkRuns {
        runs(missing.intersection(RangeSet(list.ranges)))
    }

    /// Awaits the bytes that are present nowhere.
    ///
    /// - Parameters:
    ///   - chunks: The chunks that the list covers.
    ///   - ranges: The bytes of them that are to be asked for.
    /// - Returns: False if no list is being compared.
    mutating func compared(_ chunks: ChunkRuns, missing ranges: ByteRuns) -> Bool {
        guard case .comparing = state else { return false }
        settle(chunks, ranges)
        state = .arriving(wanted(of: chunks), ChunkCursor(ranges))
        return true
    }

    /// Ends the round without asking for bytes; false if no list is being compared.
    mutating func comparedForSurvey(_ chunks: ChunkRuns, missing ranges: ByteRuns) -> Bool {
        guard case .comparing = state else { return false }
        settle(chunks, ranges)
        state = .idle
        return true
    }

    /// What stands before the end of a list was compared, or is not worth it.
    private mutating func settle(_ chunks: ChunkRuns, _ ranges: ByteRuns) {
        if let end = chunks.ranges.last?.upperBound { comparable.remove(contentsOf: 0..<end) }
        let count = chunks.byteCount(in: layout)
        vainCount = count - min(count, ranges.byteCount) < count / 32 ? vainCount + 1 : 0
        if vainCount >= Self.maximumVainCount { comparable = RangeSet() }
    }

    /// Ends the search: nothing more is asked for.
    mutating func stop() {
        comparable = RangeSet()
    }

    /// Takes a piece of the bytes; false if it is not the next one.
    mutating func received(_ header: DataHeader) -> Bool {
        guard case .arriving(let chunks, var cursor) = state,
            cursor.pass(offset: header.offset, length: header.length)
        else { return false }
        state = .arriving(chunks, cursor)
        return true
    }

    /// Ends the round; false if not all of its bytes are there.
    mutating func assembled(except failed: ChunkRuns) -> Bool {
        guard case .arriving(let chunks, let cursor) = state, cursor.isAtEnd else { return false }
        missing.subtract(RangeSet(chunks.ranges))
        missing.formUnion(RangeSet(failed.ranges).intersection(RangeSet(chunks.ranges)))
        state = .idle
        return true
    }

    private func runs(_ set: RangeSet<Int>) -> ChunkRuns {
        layout.runs(validating: Array(set.ranges)) ?? layout.allChunks
    }

    private static let unasked = ProtocolError(
        .unexpectedFrame,
        "The other side sent a list of pieces that was not requested."
    )
}
