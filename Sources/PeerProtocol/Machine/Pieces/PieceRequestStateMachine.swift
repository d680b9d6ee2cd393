/// The receiver's search for the bytes of one resource that it has nowhere.
///
/// Each round covers the chunks of one list: ask for the list of their pieces, look for the pieces, ask for the bytes of the
/// missing ones, and combine the chunks. A chunk that does not match its digest counts as
/// missing, and is requested once at the end like every other missing chunk. Lists that came before the selection are not asked
/// for again.
struct PieceRequestStateMachine: Sendable {
    /// What a search does next.
    enum Step: Equatable {
        /// Query these chunks.
        case query(ChunkRuns)
        /// Read this list.
        case read(PieceList.Received)
        /// Nothing is left to compare.
        case end
    }

    /// How many lists may find nearly nothing before the search ends.
    private static let maximumVainCount = 4

    /// What comes of the resource.
    var assembly: ResourceAssembly
    private var missing: RangeSet<Int>
    private var comparable: RangeSet<Int>
    /// The lists that came before the selection, the next one first.
    private var lists: ArraySlice<PieceList.Received>
    private var vainCount = 0
    /// The chunks that are put together in this round, and those that did not match their digest.
    private var (chunks, failed) = (RangeSet<Int>(), RangeSet<Int>())

    /// - `missing`: All chunks that are missing.
    /// - `comparable`: Those whose pieces may be present.
    /// - `lists`: The lists that came before, in order.
    init(
        _ assembly: ResourceAssembly,
        missing: ChunkRuns,
        comparable: ChunkRuns,
        lists: [PieceList.Received] = []
    ) {
        self.assembly = assembly
        self.missing = RangeSet(missing.ranges)
        self.comparable = RangeSet(comparable.ranges).intersection(self.missing)
        self.lists = lists[...]
    }

    /// The chunks that are to be requested as a whole.
    var missingChunks: ChunkRuns { runs(missing) }

    /// Begins the next round.
    mutating func next() -> Step {
        guard assembly.isIdle else { return .end }
        while var list = lists.popFirst() {
            list.wanted = wanted(of: list.query)
            if comparable.isDisjoint(RangeSet(list.wanted.ranges)) { continue }
            assembly.compare()
            return .read(list)
        }
        let chosen = Array(comparable.ranges.prefix(PieceQuery.maximumRunCount))
        guard !chosen.isEmpty, let chunks = assembly.layout.runs(validating: chosen) else { return .end }
        assembly.expectList(of: chunks)
        return .query(chunks)
    }

    /// Returns those chunks of a list that are still missing.
    func wanted(of list: ChunkRuns) -> ChunkRuns { runs(missing.intersection(RangeSet(list.ranges))) }

    /// Awaits the bytes of a list's chunks that are present nowhere.
    ///
    /// - Returns: The chunks for which no bytes are missing; nil if no list is being compared.
    mutating func compared(_ list: ChunkRuns, missing ranges: ByteRuns) -> [PieceAssembler.GatheredChunk]? {
        guard assembly.isComparing else { return nil }
        settle(list, ranges)
        let wanted = wanted(of: list)
        (chunks, failed) = (RangeSet(wanted.ranges), RangeSet())
        return assembly.expectPieces(ranges, of: wanted)
    }

    /// Ends the round without asking for bytes; false if no list is being compared.
    mutating func comparedForSurvey(_ list: ChunkRuns, missing ranges: ByteRuns) -> Bool {
        guard assembly.isComparing else { return false }
        settle(list, ranges)
        assembly = ResourceAssembly(layout: assembly.layout, digests: assembly.digests)
        return true
    }

    /// Notes that the chunks up to the end of a list were compared, and gives up after several lists that found nearly nothing.
    private mutating func settle(_ list: ChunkRuns, _ ranges: ByteRuns) {
        if let end = list.ranges.last?.upperBound { comparable.remove(contentsOf: 0..<end) }
        let count = list.byteCount(in: assembly.layout)
        vainCount = count - min(count, ranges.byteCount) < count / 32 ? vainCount + 1 : 0
        if vainCount >= Self.maximumVainCount { comparable = RangeSet() }
    }

    /// Ends the search: nothing more is asked for.
    mutating func stop() { comparable = RangeSet() }

    /// Some chunks were combined with what is present, and these of them do not match their digest.
    ///
    /// - Returns: Whether the round has ended.
    mutating func combined(except positions: [Int]) -> Bool {
        for position in positions { failed.insert(contentsOf: position..<position + 1) }
        guard !assembly.isIdle, assembly.endRound() else { return false }
        missing.subtract(chunks)
        missing.formUnion(failed.intersection(chunks))
        return true
    }

    private func runs(_ set: RangeSet<Int>) -> ChunkRuns {
        assembly.layout.runs(validating: Array(set.ranges)) ?? assembly.layout.allChunks
    }
}
