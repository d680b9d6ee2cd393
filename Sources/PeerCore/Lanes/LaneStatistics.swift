/// What the kernel has counted on all connections of a transfer together.
struct LaneStatistics: Sendable {
    /// The bytes that have arrived at the peer.
    private(set) var acknowledged: UInt64 = 0
    /// The packets that were sent again.
    private(set) var retransmitted: UInt64 = 0
    /// What was counted on each connection so far.
    private var counted: [Int: LinkStatistics] = [:]

    /// Adds what a connection has counted since it was last asked.
    ///
    /// The bytes that it counted before the first time are not added: they say nothing of the rate now.
    mutating func count(_ counts: LinkStatistics, on connection: Int) {
        let before = counted[connection]
        acknowledged += counts.acknowledged - min(counts.acknowledged, before?.acknowledged ?? counts.acknowledged)
        retransmitted += counts.retransmitted - min(counts.retransmitted, before?.retransmitted ?? 0)
        counted[connection] = counts
    }

    /// A connection has ended.
    mutating func forget(_ connection: Int) {
        counted[connection] = nil
    }
}
