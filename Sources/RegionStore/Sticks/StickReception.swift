import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Takes the frames of a file on a stick in the order in which they were written, as a receiver that had asked for them.
///
/// What the writer believed to be in the store is not believed: each chunk that is put together counts by its digest, and a chunk that
/// lacks something is ``StickFile/stale``.
struct StickReception {
    /// The most runs of bytes that one list of pieces may ask for.
    private static let maximumRunCount = 1 << 17

    /// A resource that arrives.
    private struct Arrival {
        let position: Int
        let entry: ManifestEntry
        let digests: [ContentDigest]
        let located: LocatedChunks
        /// The chunks that are still missing.
        var missing: RangeSet<Int>
        var round: Round = .none
    }

    /// What is being read of a resource.
    private enum Round {
        case none
        /// A list of pieces of these chunks.
        case list(ChunkRuns, ByteBuffer)
        /// The runs of bytes that follow the list.
        case runs(PieceList, [Range<UInt64>])
        /// Those bytes.
        case pieces(PieceComparison, PieceAssembler, ChunkCursor)
        /// Whole chunks.
        case chunks(ChunkVerifier, ChunkCursor)
    }

    private let manifest: Manifest
    private let kinds: Set<ResourceKind>
    private let sink: RegionSink
    private let transfer: any IncomingTransfer
    private var lists: DigestLists
    private var arrival: Arrival?
    private var finished: Set<ResourceKind> = []

    /// The number of bytes of resources that came.
    private(set) var byteCount: UInt64 = 0

    init(_ manifest: Manifest, _ kinds: Set<ResourceKind>, _ sink: RegionSink, _ transfer: any IncomingTransfer) {
        self.manifest = manifest
        self.kinds = kinds.intersection(manifest.entries.map(\.kind))
        self.sink = sink
        self.transfer = transfer
        lists = DigestLists(manifest)
        lists.expect(Array(manifest.entries.indices))
    }

    /// Takes the next frame, or the next bytes.
    ///
    /// - Returns: Whether everything has come.
    /// - Throws: ``StickFile/damaged``, ``StickFile/stale``, `ProtocolError`, or the errors of the transfer.
    mutating func take(_ output: FrameDecoder.Output) throws -> Bool {
        switch output {
        case .frame(.digests(let part)):
            if let arrival, arrival.position != part.resource { try finishArrival() }
            guard manifest.entries.indices.contains(part.resource) else { throw StickFile.damaged }
            if let digests = try lists.received(part) { try begin(part.resource, digests) }
        case .frame(.pieceQuery(let query)): try take(query)
        case .frame(.pieceList(let part)): try take(part)
        case .frame(.rangeRequest(let request)): try take(request)
        case .frame(.request(let request)): try take(request)
        case .dataHeader(let header): try take(header)
        case .data(let bytes): try take(bytes)
        case .frame(.done(let completion)):
            try finishArrival()
            guard completion.id == manifest.id else { throw StickFile.damaged }
            guard finished == kinds else { throw StickFile.stale }
            return true
        case .frame, .preface:
            throw StickFile.damaged
        }
        return false
    }

    private mutating func begin(_ position: Int, _ digests: [ContentDigest]) throws {
        let entry = manifest.entries[position]
        guard kinds.contains(entry.kind) else {
            let nothing = LocatedChunks(missing: .none)
            arrival = Arrival(position: position, entry: entry, digests: digests, located: nothing, missing: RangeSet())
            return
        }
        // Everywhere: the request lists the tiles of all maps, also of those of another area.
        let search = LocalSearch(
            store: sink.store,
            regionID: manifest.id,
            entry: entry,
            maximumMapCount: StickRequest.maximumMapCount + 1
        )
        let located = try search.locate(digests)
        let missing = try transfer.missingChunks(of: entry, digests: digests, located: located)
        arrival = Arrival(
            position: position,
            entry: entry,
            digests: digests,
            located: located,
            missing: RangeSet(missing.ranges)
        )
    }

    private mutating func finishArrival() throws {
        try endRound()
        guard let done = arrival else { return }
        arrival = nil
        guard kinds.contains(done.entry.kind) else { return }
        guard done.missing.isEmpty else { throw StickFile.stale }
        try transfer.finish(done.entry)
        finished.insert(done.entry.kind)
    }

    /// The resource that arrives, if it is this one.
    private func current(_ position: Int) throws -> Arrival {
        guard let arrival, arrival.position == position else { throw StickFile.damaged }
        return arrival
    }

    // MARK: Pieces

    private mutating func take(_ query: PieceQuery) throws {
        try endRound()
        guard let chunks = try current(query.resource).entry.layout.runs(validating: query.runs) else {
            throw StickFile.damaged
        }
        arrival?.round = .list(chunks, ByteBuffer())
    }

    private mutating func take(_ part: PieceListPart) throws {
        let layout = try current(part.resource).entry.layout
        guard case .list(let chunks, var bytes)? = arrival?.round,
            bytes.readableBytes + part.bytes.readableBytes + part.rest <= PieceList.maximumLength
        else { throw StickFile.damaged }
        arrival?.round = .none
        bytes.writeImmutableBuffer(part.bytes)
        guard part.rest == 0 else {
            arrival?.round = .list(chunks, bytes)
            return
        }
        arrival?.round = .runs(try PieceList(reading: bytes, query: chunks, layout: layout), [])
    }

    private mutating func take(_ request: RangeRequest) throws {
        _ = try current(request.resource)
        guard case .runs(let list, var runs)? = arrival?.round, runs.count + request.runs.count <= Self.maximumRunCount
        else { throw StickFile.damaged }
        // Taken out of the state, because the runs would be copied for each request otherwise.
        arrival?.round = .none
        runs += request.runs
        arrival?.round = .runs(list, runs)
    }

    /// Looks for the pieces in the store, before the first of the other bytes comes.
    private mutating func comparePieces() throws {
        guard let arrival, case .runs(let list, let runs) = arrival.round else { return }
        guard let missing = arrival.entry.layout.byteRuns(validating: runs) else { throw StickFile.damaged }
        let basis = arrival.located.older ?? DeltaBasis(chunks: .none) { _ in ByteBuffer() }
        let assembler = PieceAssembler(
            layout: arrival.entry.layout,
            digests: arrival.digests,
            chunks: list.chunks,
            missing: missing
        )
        self.arrival?.round = .pieces(PieceComparison(list, with: basis), assembler, ChunkCursor(missing))
    }

    /// Puts chunks together from what came and what is in the store; those that lack something stay missing.
    private func keep(
        _ chunks: [PieceAssembler.GatheredChunk],
        _ comparison: PieceComparison,
        _ arrival: inout Arrival
    ) throws {
        for chunk in chunks where arrival.missing.contains(chunk.position) {
            guard try transfer.keep(chunk, with: comparison, of: arrival.entry) else { continue }
            arrival.missing.remove(contentsOf: chunk.position..<chunk.position + 1)
        }
    }

    /// Ends a list of pieces or a run of chunks of which everything came.
    private mutating func endRound() throws {
        try comparePieces()
        guard var arrival else { return }
        let round = arrival.round
        arrival.round = .none
        switch round {
        case .none: break
        case .list, .runs: throw StickFile.damaged
        case .pieces(let comparison, var assembler, let cursor):
            guard cursor.isAtEnd else { throw StickFile.damaged }
            // Chunks of which nothing had to come.
            try keep(try assembler.gather([]), comparison, &arrival)
            guard assembler.isComplete else { throw StickFile.damaged }
        case .chunks(_, let cursor):
            guard cursor.isAtEnd else { throw StickFile.damaged }
        }
        self.arrival = arrival
    }

    // MARK: Bytes

    private mutating func take(_ request: ChunkRequest) throws {
        try endRound()
        let arrival = try current(request.resource)
        let layout = arrival.entry.layout
        guard let chunks = layout.runs(validating: request.runs) else { throw StickFile.damaged }
        let verifier = ChunkVerifier(layout: layout, digests: arrival.digests)
        self.arrival?.round = .chunks(verifier, ChunkCursor(runs: chunks, layout: layout))
    }

    private mutating func take(_ header: DataHeader) throws {
        _ = try current(header.resource)
        try comparePieces()
        switch arrival?.round {
        case .pieces(let comparison, let assembler, var cursor):
            guard cursor.pass(offset: header.offset, length: header.length) else { throw StickFile.damaged }
            arrival?.round = .pieces(comparison, assembler, cursor)
        case .chunks(var verifier, var cursor):
            guard cursor.pass(offset: header.offset, length: header.length) else { throw StickFile.damaged }
            verifier.expectBytes(from: header.offset)
            arrival?.round = .chunks(verifier, cursor)
        default:
            throw StickFile.damaged
        }
    }

    private mutating func take(_ bytes: ByteBuffer) throws {
        guard var arrival else { throw StickFile.damaged }
        // Taken out of the state, because a change would copy what is gathered otherwise.
        self.arrival = nil
        let round = arrival.round
        arrival.round = .none
        // What is there already, or was not accepted, is passed over.
        let isWanted = !arrival.missing.isEmpty
        if isWanted { byteCount += UInt64(bytes.readableBytes) }
        switch round {
        case .pieces(let comparison, var assembler, let cursor):
            try keep(try assembler.gather([bytes]), comparison, &arrival)
            arrival.round = .pieces(comparison, assembler, cursor)
        case .chunks(var verifier, let cursor):
            for chunks in isWanted ? try verifier.gather([bytes]) : [] {
                let verified = try chunks.verified()
                try transfer.write(verified.buffers, at: verified.offset, of: arrival.entry)
                arrival.missing.remove(contentsOf: chunks.chunks)
            }
            arrival.round = .chunks(verifier, cursor)
        default:
            throw StickFile.damaged
        }
        self.arrival = arrival
    }
}
