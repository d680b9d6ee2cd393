/// A resource while parts of it are awaited.
struct ArrivingResource {
    let entry: ManifestEntry
    /// The digests of all its chunks.
    let digests: [ContentDigest]
    /// What is here of an older version.
    let older: OlderVersion?
    /// Verifies the chunks that are awaited as a whole.
    var verifier: ChunkVerifier?
    /// Gathers the pages that are awaited, to be put together with the older version's.
    var assembler: PageAssembler?
    /// The chunks of this round that did not come together.
    var failed: [Range<Int>] = []

    init(entry: ManifestEntry, digests: [ContentDigest], older: OlderVersion?) {
        self.entry = entry
        self.digests = digests
        self.older = older
    }

    /// Makes ready for whole chunks.
    mutating func expect(_ request: ChunkRequest) {
        let runs = entry.layout.runs(validating: request.runs) ?? .none
        verifier = ChunkVerifier(layout: entry.layout, digests: digests, runs: runs)
    }

    /// Makes ready for pages of chunks.
    mutating func expect(_ pages: PageRuns, of chunks: ChunkRuns) {
        failed = []
        assembler = PageAssembler(layout: entry.layout, digests: digests, chunks: chunks, pages: pages)
    }
}
