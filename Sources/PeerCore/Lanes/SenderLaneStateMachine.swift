/// How a sender divides the answer to a request among its main connection and lanes.
///
/// A pure value: the time and what the kernel counted are passed in. Lanes are known by the numbers under which they were
/// admitted. (Wire format, "Lanes".)
struct SenderLaneStateMachine: Sendable {
    /// The chunks of one request that no connection has taken yet.
    private struct Work {
        let position: Int
        let layout: ChunkLayout
        var cursor: ChunkCursor
        /// Whether lanes were asked for.
        var isStriped = false
    }

    private let use: LaneUse
    private let maximumLaneCount: Int
    private let silence: Duration
    private var isCapable = false
    private var policy: LanePolicy
    private var work: Work?
    /// The number of the request at hand, or of the last one; lanes belong to one request.
    private(set) var requestNumber = 0
    private var open: Set<Int> = []
    /// The admitted lanes that take no more work.
    private var retiring: Set<Int> = []
    private var statistics = LanePolicy.Statistics()
    /// When bytes were last given to any connection.
    private var lastSent: ContinuousClock.Instant
    /// The resources that the receiver has confirmed.
    private var confirmed: Set<Int> = []

    init(_ configuration: ConnectionConfiguration, at now: ContinuousClock.Instant) {
        use = configuration.lanes
        maximumLaneCount = configuration.limits.maximumLaneCount
        silence = configuration.silenceTimeout
        policy = LanePolicy(maximumLaneCount: maximumLaneCount)
        lastSent = now
    }

    /// The handshake is complete.
    mutating func connected(isCapable: Bool) { self.isCapable = isCapable }

    /// Another transfer begins on the same connection.
    ///
    /// What was measured stays, and so does the count of requests: a lane of an earlier one is still known.
    mutating func beginTransfer() { confirmed = [] }

    // MARK: Requests

    /// Begins to answer a request; returns for how many lanes the receiver is to be asked.
    mutating func begin(_ runs: ChunkRuns, of position: Int, _ layout: ChunkLayout) -> Int {
        let cursor = ChunkCursor(runs: runs, layout: layout)
        requestNumber += 1
        work = Work(position: position, layout: layout, cursor: cursor)
        // Connections take whole chunks, so a single chunk cannot be divided.
        guard isCapable, cursor.remaining > layout.chunkLength else { return 0 }
        switch use {
        case .never: return 0
        case .always(let count): return min(count, maximumLaneCount)
        case .whenTheyHelp:
            if case .invite(let count) = policy.began(bytes: cursor.remaining) { return count }
            return 0
        }
    }

    /// The receiver was asked for lanes.
    mutating func invited() { work?.isStriped = true }

    /// The request at hand has been answered, or the answer given up.
    mutating func end() { work = nil }

    /// Whether the answer to the request at hand is divided among several connections.
    var isStriped: Bool { work?.isStriped == true }

    /// The resource of the request at hand; nil if there is none.
    var position: Int? { work?.position }

    /// Takes the next bytes of a request that no connection has taken; nil if nothing is left, or the lane is to end.
    ///
    /// `share` holds what this connection has taken and not sent; whole chunks are added when it is empty.
    mutating func takeBytes(
        of share: inout Range<UInt64>,
        of position: Int,
        atMost maximum: Int,
        lane: Int?
    ) -> Range<UInt64>? {
        if share.isEmpty {
            // A lane that is given up completes its last chunk first.
            if let lane, retiring.contains(lane) { return nil }
            guard let layout = work?.layout, work?.position == position,
                let chunks = work?.cursor.takeChunks(atMost: maximum, layout: layout)
            else { return nil }
            share = layout.byteRange(of: chunks)
        }
        let end = min(share.upperBound, share.lowerBound + UInt64(max(1, maximum)))
        defer { share = end..<share.upperBound }
        return share.lowerBound..<end
    }

    /// Bytes were given to a connection.
    mutating func sent(at now: ContinuousClock.Instant) { lastSent = now }

    /// The receiver has confirmed a resource.
    mutating func receivedConfirmation(of position: Int) { confirmed.insert(position) }

    /// Whether the receiver has confirmed a resource.
    func isConfirmed(_ position: Int) -> Bool { confirmed.contains(position) }

    // MARK: Lanes

    /// A lane has joined; returns whether there is work for it.
    ///
    /// Between a lane's secret and this call, its request may have been answered and the next one begun. The bytes of the lane
    /// could then overtake those of the main connection.
    mutating func joined(_ lane: Int, for request: Int) -> Bool {
        guard request == requestNumber, let work, work.isStriped, !work.cursor.isAtEnd else { return false }
        open.insert(lane)
        return true
    }

    /// A lane has ended.
    mutating func ended(_ lane: Int) {
        open.remove(lane)
        retiring.remove(lane)
        statistics.forget(lane)
    }

    /// The lanes to close: they do not advance, and no chunk is left to take.
    func silentLanes(at now: ContinuousClock.Instant) -> Set<Int> {
        guard let work, work.cursor.isAtEnd, now - lastSent >= silence else { return [] }
        return open
    }

    // MARK: Measuring

    /// Whether the kernel's counts are useful.
    var wantsSamples: Bool { use == .whenTheyHelp && isCapable && work != nil }

    /// Less is sent than the connections could carry.
    mutating func paused(at now: ContinuousClock.Instant) { policy.paused(at: now) }

    /// Notes what the kernel has counted on a connection.
    mutating func counted(_ counts: SocketTuning.Statistics, on connection: Int) {
        guard connection == ResourceAssembly.mainConnection || open.contains(connection) else { return }
        statistics.count(counts, on: connection)
    }

    /// Decides by what was counted; nil if nothing is left to be sent.
    mutating func sampled(
        _ main: SocketTuning.Statistics,
        at now: ContinuousClock.Instant
    ) -> (sample: LanePolicy.Sample, action: LanePolicy.Action)? {
        guard let left = work?.cursor.remaining, left > 0 else { return nil }
        let sample = LanePolicy.Sample(
            time: now,
            acknowledged: statistics.acknowledged,
            retransmitted: statistics.retransmitted,
            roundTrip: main.roundTrip,
            shortestRoundTrip: main.shortestRoundTrip,
            bytesLeft: left,
            laneCount: open.count - retiring.count
        )
        return (sample, retire(policy.sampled(sample)))
    }

    /// The system does not allow the other congestion control.
    mutating func controlRefused(at now: ContinuousClock.Instant) -> LanePolicy.Action {
        retire(policy.controlRefused(at: now))
    }

    /// Lets lanes that do not help take no more work.
    private mutating func retire(_ action: LanePolicy.Action) -> LanePolicy.Action {
        if case .retire(let count) = action {
            retiring.formUnion(open.subtracting(retiring).sorted().suffix(count))
        }
        return action
    }
}
