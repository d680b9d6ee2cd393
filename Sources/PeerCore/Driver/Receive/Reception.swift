import NIOConcurrencyHelpers

/// The offered and accepted resources, and the writes to the sink that are under way.
struct Reception {
    /// The sender's offer.
    var manifest: Manifest?
    /// Stores the accepted resources; nil before the offer is accepted and after the commit.
    var transfer: (any IncomingTransfer)?
    /// The resources of which the digests are known and parts are awaited, by their positions.
    ///
    /// Before the offer is accepted, these are the resources that are compared with what is here. A sender can make them need
    /// 2 MiB of digests each, and as much for the places of located chunks.
    var arrivals: [Int: ArrivingResource] = [:]
    /// The resources that are here as a whole, by their positions, until their digests come.
    var whole: [Int: LocatedChunks] = [:]
    /// Whether the transfer has ended, so that nothing needs to be located any more.
    let isStopped = NIOLockedValueBox(false)
    /// Held while writing to the sink.
    let writing = NIOLock()
    /// Verified chunks on their way to the sink, with their resource, the oldest first.
    var pendingWrites: [(position: Int, work: PooledWork<UInt64>)] = []

    /// The entry of a resource; nil before the offer or for a wrong position.
    func entry(_ position: Int) -> ManifestEntry? {
        guard let manifest, manifest.entries.indices.contains(position) else { return nil }
        return manifest.entries[position]
    }

    /// All offered resources.
    var entries: [ManifestEntry] { manifest?.entries ?? [] }
}
