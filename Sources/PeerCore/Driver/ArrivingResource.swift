import NIOCore

/// A resource while parts of it are awaited.
struct ArrivingResource {
    let entry: ManifestEntry
    /// The digests of all its chunks.
    let digests: [ContentDigest]
    /// What is here of an older version.
    let older: DeltaBasis?
    /// Verifies the chunks that come, for each connection on which they do.
    private var verifiers: [Int: ChunkVerifier] = [:]
    /// Gathers the pages that are awaited, to be put together with the older version's.
    var assembler: PageAssembler?
    /// The chunks of this round that did not come together.
    var failed: [Range<Int>] = []

    init(entry: ManifestEntry, digests: [ContentDigest], older: DeltaBasis?) {
        self.entry = entry
        self.digests = digests
        self.older = older
    }

    /// A data frame with bytes of chunks begins on a connection.
    mutating func expectBytes(from offset: UInt64, on connection: Int) {
        verifiers[connection, default: ChunkVerifier(layout: entry.layout, digests: digests)].expectBytes(from: offset)
    }

    /// Takes the next bytes of a connection and returns the chunks that they complete, yet to be verified.
    ///
    /// - Throws: As ``ChunkVerifier/gather(_:)``.
    mutating func gather(
        _ buffers: [ByteBuffer],
        on connection: Int
    ) throws(ProtocolError) -> [ChunkVerifier.Gathered] {
        try verifiers[connection]?.gather(buffers) ?? []
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
