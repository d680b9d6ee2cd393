import NIOConcurrencyHelpers
import NIOCore

/// The offered and accepted resources, and the writes to the sink that are under way.
struct Reception {
    /// The sender's offer.
    var manifest: Manifest?
    /// What the sender has said of this side's place; nil if it has said nothing.
    var turn: TransferTurn?
    /// What was reported of it last; nil if nothing was.
    var reportedTurn: TransferTurn?
    /// Stores the accepted resources; nil before the offer is accepted and after the commit.
    var transfer: (any IncomingTransfer)?
    /// The resources of which the digests are known and chunks are awaited, by their positions.
    ///
    /// Before the offer is accepted, these are the resources that are compared with what is present. A sender can make them need
    /// 2 MiB of digests each, and as much for the places of located chunks.
    var arrivals: [Int: ArrivingResource] = [:]
    /// The resources that are present as a whole, by their positions, until their digests come.
    var whole: [Int: LocatedChunks] = [:]
    /// Whether the transfer has ended, so that nothing needs to be located any more.
    let isStopped = NIOLockedValueBox(false)
    /// Held while writing to the sink.
    let writing = NIOLock()
    /// Whole chunks of a resource that wait until a thread verifies them.
    var waiting: (position: Int, chunks: ChunkVerifier.Gathered)?
    /// Verified chunks on their way to the sink, with their resource, the oldest first.
    var pendingWrites: [(position: Int, work: PooledWork<UInt64>)] = []

    /// Adds chunks to those that wait; returns false if others must be verified before.
    mutating func wait(_ chunks: ChunkVerifier.Gathered, of position: Int) -> Bool {
        guard waiting != nil else {
            waiting = (position, chunks)
            return true
        }
        return waiting?.position == position && waiting?.chunks.append(chunks) == true
    }

    /// Takes some of the chunks that wait; nil if none do.
    mutating func takeWaiting(atMost count: Int) -> (position: Int, chunks: ChunkVerifier.Gathered)? {
        guard var taken = waiting else { return nil }
        waiting = nil
        if let rest = taken.chunks.split(after: count) { waiting = (taken.position, rest) }
        return taken
    }

    /// The entry of a resource; nil before the offer or for a wrong position.
    func entry(_ position: Int) -> ManifestEntry? {
        guard let manifest, manifest.entries.indices.contains(position) else { return nil }
        return manifest.entries[position]
    }

    /// All offered resources.
    var entries: [ManifestEntry] { manifest?.entries ?? [] }
}

/// A resource of which chunks are still awaited.
struct ArrivingResource {
    let entry: ManifestEntry
    /// The digests of all its chunks.
    let digests: [ContentDigest]
    /// What is present of it; nil until it is located, or if that failed before the person had answered.
    private(set) var located: LocatedChunks?
    /// Whether it is being located since before the person answered.
    private(set) var isLocating: Bool
    /// Whether the person has accepted it.
    private var isWanted: Bool
    /// The list of the pieces that are awaited, and what is present of them.
    var comparison: PieceComparison?

    init(entry: ManifestEntry, digests: [ContentDigest], located: LocatedChunks?, isWanted: Bool) {
        self.entry = entry
        self.digests = digests
        self.located = located
        self.isLocating = !isWanted
        self.isWanted = isWanted
    }

    /// Notes what was located, or that it failed; returns whether the resource was accepted meanwhile.
    mutating func note(_ located: LocatedChunks?) -> Bool {
        self.located = located
        isLocating = false
        return isWanted
    }

    /// Notes that the resource is accepted; returns whether it begins now: it has not begun, and nothing is being located.
    mutating func accept() -> Bool {
        defer { isWanted = true }
        return !isWanted && !isLocating
    }

    /// Notes that the located chunks were copied; only what pieces are taken from is still needed.
    mutating func begun(_ located: LocatedChunks) {
        self.located = located
        self.located?.places = nil
    }
}

/// Serializes the processing of pieces from all connections of a transfer, first come, first served.
struct ReaderTurns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Takes the turn if it is free; false if it is taken.
    mutating func take() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    /// Waits for a turn; to be called when it could not be taken.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Passes the turn to the continuation that has waited longest.
    mutating func pass() { if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() } }
}
