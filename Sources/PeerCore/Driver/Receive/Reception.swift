import NIOConcurrencyHelpers

/// What has been offered and accepted, and what of it is on its way to the sink.
struct Reception {
    /// What the sender offers.
    var manifest: Manifest?
    /// Where the accepted resources go; nil before they are accepted and after the end.
    var transfer: (any IncomingTransfer)?
    /// The resources of which parts are awaited, by their positions.
    var arrivals: [Int: ArrivingResource] = [:]
    /// The resource whose bytes come, by the connection on which they do.
    var arriving: [Int: Int] = [:]
    /// Held by whoever writes to the sink.
    let writing = NIOLock()
    /// Verified chunks on their way to the sink, with their resource, the oldest first.
    var pendingWrites: [(position: Int, work: PooledWork<UInt64>)] = []

    /// What the sender says of a resource; nil before the offer or for a wrong position.
    func entry(_ position: Int) -> ManifestEntry? {
        guard let manifest, manifest.entries.indices.contains(position) else { return nil }
        return manifest.entries[position]
    }

    /// All that is offered.
    var entries: [ManifestEntry] { manifest?.entries ?? [] }

    /// Awaits that resources come over several connections.
    mutating func stripe() {
        for position in arrivals.keys { arrivals[position]?.spread() }
    }

    /// A connection has ended; what it began comes no more.
    mutating func forget(_ connection: Int) {
        arriving[connection] = nil
        for position in arrivals.keys { arrivals[position]?.forget(connection) }
    }
}
