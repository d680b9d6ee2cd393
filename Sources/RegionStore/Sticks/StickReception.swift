import FoundationEssentials
import NIOCore
import PeerProtocol
import PeerStorage
import RegionModel

/// Takes the frames of a file on a stick in order, as the receiver that would have asked for them.
///
/// The store may have changed since the request. So each assembled chunk is checked against its digest, and a chunk that
/// lacks something is ``StickFile/stale``.
struct StickReception {
    /// The most runs of bytes that one list of pieces may ask for.
    private static let maximumRunCount = 1 << 17

    /// A resource that arrives.
    private struct Arrival {
        let position: Int
        let entry: ManifestEntry
        let located: LocatedChunks
        /// The chunks that are still missing.
        var missing: RangeSet<Int>
        var assembly: ResourceAssembly
        /// The list of pieces that came last, and the bytes of pieces that the file has, until the first of them comes.
        var list: (content: PieceList, runs: [Range<UInt64>])?
        /// The pieces of the list that are in the store.
        var comparison: PieceComparison?
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
    /// - Throws: ``StickFile/damaged(_:cause:)``, ``StickFile/stale``, `ProtocolError`, or the errors of the transfer.
    mutating func take(_ output: FrameDecoder.Output) throws -> Bool {
        switch output {
        case .frame(.digests(let part)):
            if let arrival, arrival.position != part.resource { try finishArrival() }
            guard let digests = try lists.received(part) else { break }
            try begin(part.resource, digests)
        case .frame(.pieceQuery(let query)):
            let chunks = try asked(query.runs, of: query.resource)
            arrival?.assembly.expectList(of: chunks)
        case .frame(.pieceList(let part)):
            let layout = try current(part.resource).entry.layout
            guard let list = try arrival?.assembly.received(part) else { break }
            arrival?.list = (try PieceList(reading: list.bytes, query: list.query, layout: layout), [])
        case .frame(.rangeRequest(let request)):
            guard let count = try current(request.resource).list?.runs.count else {
                throw StickFile.damaged("it asks for pieces without their list")
            }
            guard count + request.runs.count <= Self.maximumRunCount else {
                throw StickFile.damaged("it asks for too many pieces")
            }
            arrival?.list?.runs += request.runs
        case .frame(.request(let request)):
            let chunks = try asked(request.runs, of: request.resource)
            arrival?.assembly.expectChunks(chunks)
        case .dataHeader(let header):
            _ = try current(header.resource)
            try comparePieces()
            try arrival?.assembly.received(header)
        case .data(let bytes):
            try take(bytes)
        case .frame(.done(let completion)):
            try finishArrival()
            guard completion.id == manifest.id else { throw StickFile.damaged("it ends as another map does") }
            guard finished == kinds else { throw StickFile.stale }
            return true
        case .frame(let frame):
            throw StickFile.damaged("it has a part of the type “\(frame.type)”, which is in no such file")
        case .preface:
            throw StickFile.damaged("it begins twice")
        }
        return false
    }

    private mutating func begin(_ position: Int, _ digests: [ContentDigest]) throws {
        let entry = manifest.entries[position]
        // Resources that were not accepted are skipped.
        var located = LocatedChunks(missing: .none)
        var missing = ChunkRuns.none
        if kinds.contains(entry.kind) {
            // Everywhere: the request lists the tiles of all maps, also of those of another area.
            let search = LocalSearch(
                store: sink.store,
                regionID: manifest.id,
                entry: entry,
                maximumMapCount: StickRequest.maximumMapCount + 1
            )
            located = try search.locate(digests)
            missing = try transfer.missingChunks(of: entry, digests: digests, located: located)
        }
        arrival = Arrival(
            position: position,
            entry: entry,
            located: located,
            missing: RangeSet(missing.ranges),
            assembly: ResourceAssembly(layout: entry.layout, digests: digests)
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
        guard let arrival else { throw StickFile.damaged("a list of digests is missing") }
        guard arrival.position == position else { throw StickFile.damaged("its parts are in the wrong order") }
        return arrival
    }

    /// Ends the round before, and returns the chunks for which the next one asks.
    private mutating func asked(_ runs: [Range<Int>], of position: Int) throws -> ChunkRuns {
        try endRound()
        guard let chunks = try current(position).entry.layout.runs(validating: runs) else {
            throw StickFile.damaged("it asks for chunks that do not exist")
        }
        return chunks
    }

    /// Ends a list of pieces or a run of chunks that has come completely.
    private mutating func endRound() throws {
        try comparePieces()
        guard arrival?.assembly.endRound() != false else { throw StickFile.damaged("data are missing in the middle") }
    }

    /// Looks for the pieces in the store, before the first of the other bytes comes.
    private mutating func comparePieces() throws {
        guard let arrival, let (list, runs) = arrival.list else { return }
        guard let missing = arrival.entry.layout.byteRuns(validating: runs) else {
            throw StickFile.damaged("it asks for bytes that do not exist, or not in their order")
        }
        let basis = arrival.located.older ?? DeltaBasis(chunks: .none) { _ in ByteBuffer() }
        self.arrival?.list = nil
        self.arrival?.comparison = PieceComparison(list, with: basis)
        // Chunks built from local pieces alone.
        try keep(self.arrival?.assembly.expectPieces(missing, of: list.chunks) ?? [])
    }

    /// Combines chunks with what the store has; those that lack something stay missing.
    private mutating func keep(_ chunks: [PieceAssembler.GatheredChunk]) throws {
        guard let arrival, let comparison = arrival.comparison else { return }
        for chunk in chunks where arrival.missing.contains(chunk.position) {
            guard try transfer.keep(chunk, with: comparison, of: arrival.entry) else { continue }
            self.arrival?.missing.remove(contentsOf: chunk.position..<chunk.position + 1)
        }
    }

    private mutating func take(_ bytes: ByteBuffer) throws {
        // Data that the store has, or that were not accepted, are skipped.
        let isWanted = arrival?.missing.isEmpty == false
        if isWanted { byteCount += UInt64(bytes.readableBytes) }
        switch try arrival?.assembly.received([bytes]) {
        case .pieces(let chunks):
            try keep(chunks)
        case .chunks(let gathered):
            for chunks in gathered where isWanted {
                guard let entry = arrival?.entry else { break }
                let verified = try chunks.verified()
                try transfer.write(verified.buffers, at: verified.offset, of: entry)
                arrival?.missing.remove(contentsOf: chunks.chunks)
            }
        case nil:
            throw StickFile.damaged("a list of digests is missing")
        }
    }
}
