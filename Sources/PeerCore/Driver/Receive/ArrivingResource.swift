import NIOCore

/// A resource while parts of it are awaited.
struct ArrivingResource {
    let entry: ManifestEntry
    /// The digests of all its chunks.
    let digests: [ContentDigest]
    /// What is here of an older version.
    let older: DeltaBasis?
    /// Verifies the chunks that are awaited as a whole, for each connection on which they come.
    private var verifiers: [Int: ChunkVerifier] = [:]
    /// The chunks that have not come whole, once they come over several connections.
    private var missing: RangeSet<Int>?
    /// Gathers the pages that are awaited, to be put together with the older version's.
    var assembler: PageAssembler?
    /// Whether lanes were asked for.
    private var isStriped = false
    /// The chunks of this round that did not come together.
    var failed: [Range<Int>] = []

    init(entry: ManifestEntry, digests: [ContentDigest], older: DeltaBasis?) {
        self.entry = entry
        self.digests = digests
        self.older = older
    }

    /// Makes ready for whole chunks.
    mutating func expect(_ request: ChunkRequest) {
        let runs = entry.layout.runs(validating: request.runs) ?? .none
        missing = nil
        verifiers = [SessionConnection.main: ChunkVerifier(layout: entry.layout, digests: digests, runs: runs)]
        if isStriped { spread() }
    }

    /// Makes ready for whole chunks that come over several connections.
    mutating func spread() {
        isStriped = true
        guard missing == nil, let verifier = verifiers[SessionConnection.main] else { return }
        missing = RangeSet(verifier.remainingRuns)
    }

    /// A data frame begins on a connection.
    mutating func expectBytes(from offset: UInt64, on connection: Int) {
        guard missing != nil else { return }
        if verifiers[connection] == nil {
            verifiers[connection] = ChunkVerifier(layout: entry.layout, digests: digests, runs: .none)
        }
        verifiers[connection]?.expectBytes(from: offset)
    }

    /// Takes the next bytes of a connection and returns the chunks that they complete, yet to be verified.
    ///
    /// - Throws: As ``ChunkVerifier/gather(_:)``.
    mutating func gather(
        _ buffers: [ByteBuffer],
        on connection: Int
    ) throws(ProtocolError) -> [ChunkVerifier.Gathered] {
        let gathered = try verifiers[connection]?.gather(buffers) ?? []
        if missing != nil {
            for chunks in gathered { missing?.remove(contentsOf: chunks.chunks) }
        }
        return gathered
    }

    /// Whether every chunk that was awaited has come.
    var isComplete: Bool {
        missing?.isEmpty ?? verifiers[SessionConnection.main]?.isComplete ?? false
    }

    /// The chunks that have not come whole.
    var missingChunks: ChunkRuns {
        let runs = missing.map { Array($0.ranges) } ?? verifiers[SessionConnection.main]?.remainingRuns ?? []
        return entry.layout.runs(validating: runs) ?? .none
    }

    /// A connection has ended; what it began comes no more.
    mutating func forget(_ connection: Int) {
        verifiers[connection] = nil
    }

    /// Makes ready for pages of chunks.
    mutating func expect(_ pages: PageRuns, of chunks: ChunkRuns) {
        failed = []
        assembler = PageAssembler(layout: entry.layout, digests: digests, chunks: chunks, pages: pages)
    }
}
