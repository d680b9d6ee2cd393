/// How many bytes of bulk data may wait unsent on one connection, so that what must get through quickly never waits
/// behind more than a quarter of a second of them.
///
/// A pure value. As much may wait as arrived at the peer in the last quarter of a second. Until a connection is that old it
/// may be fast, so that little may wait in any case. Where much arrives, much may wait soon: each time that what waits has
/// arrived, about twice as much may.
///
/// What waits is at most two pieces in this process and what the kernel holds unsent. The budget is cut into four: one for
/// each piece and two for the kernel.
struct UnsentBudget: Sendable {
    private struct Count {
        var time: ContinuousClock.Instant
        var acknowledged: UInt64
    }

    /// Over what time is counted what arrives.
    static let window: Duration = .milliseconds(250)
    /// How long a connection is taken for fast without proof.
    private static let trial = window
    /// What may wait on trial: a quarter of a second at 1 Mbit/s.
    private static let trialBytes = 32 * 1024
    /// What may wait in any case, or a link that stood still would never show how fast it is.
    private static let leastBytes = 8 * 1024
    /// The most that the kernel may hold unsent.
    ///
    /// Where so much arrives in a moment, less would make the link wait for us.
    static let maximumUnsentLength = 2 * 1024 * 1024
    /// How often what arrived is noted within the window.
    private static let step = window / 8

    private let longestPiece: Int
    private let start: Count
    /// What had arrived at some times, the oldest first; the first is as old as the window, or older.
    private var counts: [Count]
    private var bytes = trialBytes
    private var lastCount: ContinuousClock.Instant

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - longestPiece: The most bytes of a piece.
    ///   - acknowledged: How many bytes have arrived at the peer so far.
    ///   - now: The time.
    init(longestPiece: Int, acknowledged: UInt64, at now: ContinuousClock.Instant) {
        self.longestPiece = longestPiece
        self.start = Count(time: now, acknowledged: acknowledged)
        self.counts = [start]
        self.lastCount = now
    }

    /// How long the next piece may be, in bytes.
    var pieceLength: Int {
        let length = bytes / 4
        // Files are read quickest in whole pages of memory.
        return max(1, min(longestPiece, length >= 4096 ? length & ~4095 : length))
    }

    /// How much the kernel may hold unsent, in bytes: a power of two, so that it seldom has to be told.
    var unsentLength: Int {
        var length = Self.leastBytes / 2
        while length * 2 <= min(bytes / 2, Self.maximumUnsentLength) { length *= 2 }
        return length
    }

    /// Whether it is time to look again what has arrived: always, but for links on which nothing waits for long.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        pieceLength < longestPiece || now - lastCount >= Self.step
    }

    /// Notes what has arrived.
    ///
    /// - Parameters:
    ///   - acknowledged: How many bytes have arrived at the peer so far.
    ///   - now: The time.
    mutating func counted(_ acknowledged: UInt64, at now: ContinuousClock.Instant) {
        lastCount = now
        while counts.count > 1, now - counts[1].time >= Self.window { counts.removeFirst() }
        guard let first = counts.first, let last = counts.last else { return }
        let arrived = acknowledged - min(acknowledged, first.acknowledged)
        let elapsed = max(now - first.time, Self.window)
        let recent = Int(clamping: UInt64(Double(arrived) * (Self.window / elapsed)))
        let least = now - start.time < Self.trial ? Self.trialBytes : Self.leastBytes
        bytes = max(least, recent)
        if now - last.time >= Self.step { counts.append(Count(time: now, acknowledged: acknowledged)) }
    }
}
