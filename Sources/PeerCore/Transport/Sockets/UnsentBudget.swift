/// The number of unsent bytes of bulk data on one connection.
///
/// It is limited so that an urgent frame never waits behind more than a quarter of a second of bulk data.
///
/// A plain value. The budget is the number of bytes that arrived at the peer in the last quarter of a second. A new connection
/// starts with a small budget. On a fast network, the budget about doubles each time that the unsent bytes have arrived.
///
/// Unsent bytes are at most two pieces in this process and the unsent bytes in the kernel. A quarter of the budget is for
/// each piece, and half of the budget is for the kernel.
struct UnsentBudget: Sendable {
    private struct Count {
        var time: ContinuousClock.Instant
        var acknowledged: UInt64
    }

    /// The time over which arrived bytes are counted.
    static let window: Duration = .milliseconds(250)
    /// The time for which a new connection has at least the initial budget.
    private static let trial = window
    /// The initial budget in bytes: a quarter of a second at 1 Mbit/s.
    private static let trialBytes = 32 * 1024
    /// The minimum budget in bytes; without it, a connection that stood still would stay slow for ever.
    private static let leastBytes = 8 * 1024
    /// The maximum number of unsent bytes in the kernel.
    static let maximumUnsentLength = 2 * 1024 * 1024
    // Eight counts in a window are exact enough, and few to keep.
    /// The interval at which arrived bytes are noted.
    private static let step = window / 8

    private let longestLength: Int
    private let start: Count
    /// The number of arrived bytes at some times, the oldest first; the first is at least as old as the window.
    private var counts: [Count]
    private var bytes = trialBytes
    private var lastCount: ContinuousClock.Instant

    init(longestLength: Int, acknowledged: UInt64, at now: ContinuousClock.Instant) {
        self.longestLength = longestLength
        self.start = Count(time: now, acknowledged: acknowledged)
        self.counts = [start]
        self.lastCount = now
    }

    /// The maximum length of the next piece, in bytes.
    var nextLength: Int {
        let length = bytes / 4
        // Files are read fastest in whole pages of memory.
        return max(1, min(longestLength, length >= 4096 ? length & ~4095 : length))
    }

    /// The number of unsent bytes that the kernel may hold; it is a power of two, so that the option rarely changes.
    var unsentLength: Int {
        var length = Self.leastBytes / 2
        while length * 2 <= min(bytes / 2, Self.maximumUnsentLength) { length *= 2 }
        return length
    }

    /// Returns whether the arrived bytes must be counted again; that is always the case, except on fast networks.
    func isDue(at now: ContinuousClock.Instant) -> Bool {
        nextLength < longestLength || now - lastCount >= Self.step
    }

    /// Notes the number of arrived bytes.
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
