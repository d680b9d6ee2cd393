/// How many bytes the next burst of a link may have: more where the system takes them so fast that a message hardly waits for them.
///
/// A burst costs a wake of its thread, a change of the link and a write, however long it is. Short bursts cost most where bytes
/// go fastest. A pure value.
struct BurstLength: Sendable {
    /// The length on a link of unknown speed, in bytes.
    static let shortest = 64 * 1024
    /// The length on a fast link, in bytes.
    static let longest = 256 * 1024
    // Faster than gigabit Ethernet: a burst of 256 KiB takes at most 2 ms.
    /// How long the system takes, on a fast link, to accept each ``shortest`` bytes.
    static let fastTime = Duration.microseconds(500)
    /// How soon the next burst follows while a link is busy.
    static let longestGap = Duration.milliseconds(1)
    // The system accepts some bytes at once on any link, but not a megabyte.
    /// How many bursts in a row have to be fast.
    static let fastCount = 16

    private var count = 0
    private var lastEnd: ContinuousClock.Instant?

    /// The maximum length of the next burst, in bytes.
    var next: Int { count == Self.fastCount ? Self.longest : Self.shortest }

    /// The system has accepted a burst.
    ///
    /// One burst that was slow, or too short to tell, or that came after a pause, makes the next ones short.
    mutating func accepted(_ length: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        let isInRow = lastEnd.map { start - $0 <= Self.longestGap } ?? true
        let isFast = length >= Self.shortest * 3 / 4 && (end - start) * Self.shortest <= Self.fastTime * length
        count = isInRow && isFast ? min(count + 1, Self.fastCount) : 0
        lastEnd = end
    }
}
