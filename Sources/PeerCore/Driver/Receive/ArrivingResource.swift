import NIOCore

/// A resource of which parts are still awaited.
struct ArrivingResource {
    let entry: ManifestEntry
    /// The digests of all its chunks.
    let digests: [ContentDigest]
    /// The older version in the store, if there is one.
    let older: DeltaBasis?
    /// Verifies whole chunks, for each connection by itself.
    private var verifiers: [Int: ChunkVerifier] = [:]
    /// The chunks that have not arrived completely; nil while only the main connection is used.
    private var missing: RangeSet<Int>?
    /// Combines received pages with those of the older version.
    var assembler: PageAssembler?
    /// Whether lanes were asked for.
    private var isStriped = false
    /// The chunks of this round that did not match after they were combined.
    var failed: [Range<Int>] = []

    init(entry: ManifestEntry, digests: [ContentDigest], older: DeltaBasis?) {
        self.entry = entry
        self.digests = digests
        self.older = older
    }

    /// Expects whole chunks.
    mutating func expect(_ request: ChunkRequest) {
        let runs = entry.layout.runs(validating: request.runs) ?? .none
        missing = nil
        verifiers = [SessionConnection.main: ChunkVerifier(layout: entry.layout, digests: digests, runs: runs)]
        if isStriped { spread() }
    }

    /// Expects whole chunks on several connections.
    mutating func spread() {
        isStriped = true
        guard missing == nil, let verifier = verifiers[SessionConnection.main] else { return }
        missing = RangeSet(verifier.remainingRuns)
    }

    /// Expects the bytes of a data frame on a connection.
    mutating func expectBytes(from offset: UInt64, on connection: Int) {
        guard missing != nil else { return }
        if verifiers[connection] == nil {
            verifiers[connection] = ChunkVerifier(layout: entry.layout, digests: digests, runs: .none)
        }
        verifiers[connection]?.expectBytes(from: offset)
    }

    /// Adds the next bytes of a connection and returns the chunks that they complete, not yet verified.
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

    /// Whether every awaited chunk has arrived.
    var isComplete: Bool {
        missing?.isEmpty ?? verifiers[SessionConnection.main]?.isComplete ?? false
    }

    /// The chunks that have not arrived completely.
    var missingChunks: ChunkRuns {
        let runs = missing.map { Array($0.ranges) } ?? verifiers[SessionConnection.main]?.remainingRuns ?? []
        return entry.layout.runs(validating: runs) ?? .none
    }

    /// Forgets what a connection that has ended began.
    mutating func forget(_ connection: Int) {
        verifiers[connection] = nil
    }

    /// Expects pages of chunks.
    mutating func expect(_ pages: PageRuns, of chunks: ChunkRuns) {
        failed = []
        assembler = PageAssembler(layout: entry.layout, digests: digests, chunks: chunks, pages: pages)
    }
}
