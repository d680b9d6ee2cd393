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
    /// Combines received pages with those of the older version.
    var assembler: PageAssembler?
    /// The chunks of this round that did not match after they were combined.
    var failed: [Range<Int>] = []

    init(entry: ManifestEntry, digests: [ContentDigest], older: DeltaBasis?) {
        self.entry = entry
        self.digests = digests
        self.older = older
    }

    /// Expects the bytes of a data frame on a connection.
    mutating func expectBytes(from offset: UInt64, on connection: Int) {
        verifiers[connection, default: ChunkVerifier(layout: entry.layout, digests: digests)].expectBytes(from: offset)
    }

    /// Adds the next bytes of a connection and returns the chunks that they complete, not yet verified.
    ///
    /// - Throws: As ``ChunkVerifier/gather(_:)``.
    mutating func gather(
        _ buffers: [ByteBuffer],
        on connection: Int
    ) throws(ProtocolError) -> [ChunkVerifier.Gathered] {
        try verifiers[connection]?.gather(buffers) ?? []
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
