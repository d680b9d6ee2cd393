import NIOConcurrencyHelpers
import NIOCore
import PeerCore
import PeerProtocol
import PeerStorage

/// The transfer of a resource over one connection.
final class IncomingResource: IncomingTransfer {
    private struct State {
        /// The chunks that are present; nil before the search for them.
        var chunks: ChunkMarks?
        var isFinished = false
        var isStopped = false
        var hasEnded = false
    }

    private let entry: ManifestEntry
    private let draft: any ResourceDraft
    private let received: @Sendable (ReceivedResource) -> Void
    private let state = NIOLockedValueBox(State())

    /// Creates a transfer into a draft; `received` is called when the resource is at its destination.
    init(
        _ entry: ManifestEntry,
        into draft: any ResourceDraft,
        received: @escaping @Sendable (ReceivedResource) -> Void
    ) {
        self.entry = entry
        self.draft = draft
        self.received = received
    }

    /// Finds the chunks that have not arrived.
    ///
    /// Sessions show no estimate, so the received part is read here, after this transfer has locked it.
    func missingChunks(of entry: ManifestEntry, digests: [ContentDigest], located: LocatedChunks) throws -> ChunkRuns {
        try check(entry)
        guard digests.count == entry.layout.chunkCount,
            ContentDigest(resourceSize: entry.size, chunkDigests: digests) == entry.digest
        else { throw PeerError.otherThanOffered }
        let missing = try draft.missingChunks(digests: digests) { [weak self] in
            self?.state.withLockedValue { $0.isStopped || $0.hasEnded } ?? true
        }
        state.withLockedValue { $0.chunks = ChunkMarks(entry.layout, allBut: missing) }
        return missing
    }

    func write(_ buffers: [ByteBuffer], at offset: UInt64, of entry: ManifestEntry) throws {
        try check(entry)
        let length = buffers.reduce(0 as UInt64) { $0 + UInt64($1.readableBytes) }
        guard length > 0 else { return }
        let unit = entry.layout.chunkLength
        guard offset <= entry.size, length <= entry.size - offset, offset % unit == 0,
            (offset + length) % unit == 0 || offset + length == entry.size
        else { throw PeerError.otherThanOffered }
        // A resource has at most 65,536 chunks, so nothing is clamped.
        let chunks = Int(clamping: offset / unit)..<Int(clamping: (offset + length - 1) / unit + 1)
        try draft.write(buffers, chunks, at: offset)
        state.withLockedValue { $0.chunks?.insert(chunks) }
    }

    func finish(_ entry: ManifestEntry) throws {
        try check(entry)
        let isComplete = state.withLockedValue { state in
            state.isFinished = state.chunks?.isComplete == true
            return state.isFinished
        }
        guard isComplete else { throw PeerError.notPartOfTransfer }
    }

    func commit() throws -> TransferReceipt {
        let mayEnd = state.withLockedValue { state in
            guard state.isFinished, !state.hasEnded else { return false }
            state.hasEnded = true
            return true
        }
        guard mayEnd else { throw PeerError.notPartOfTransfer }
        do {
            received(try draft.place())
        } catch {
            draft.pause()
            throw error
        }
        return TransferReceipt(imported: [entry.kind.rawValue: 1])
    }

    func stop() { state.withLockedValue { $0.isStopped = true } }

    func abandon() {
        let isFirst = state.withLockedValue { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst { draft.pause() }
    }

    private func check(_ other: ManifestEntry) throws(PeerError) {
        guard other == entry, !state.withLockedValue({ $0.hasEnded }) else { throw .notPartOfTransfer }
    }
}
