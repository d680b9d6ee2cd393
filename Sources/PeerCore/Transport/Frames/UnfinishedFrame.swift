/// Measures how long a frame has been incomplete.
///
/// A plain value. Single bytes do not count as progress: the time starts again only when ``BulkPace/leastBytes`` bytes have
/// arrived. Data frames are not measured, because their bytes are passed on as they arrive.
struct UnfinishedFrame: Sendable {
    /// The time since which a frame has made no progress; nil if no frame is incomplete.
    private(set) var since: ContinuousClock.Instant?
    private var bytes = 0

    /// Notes received bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - isUnfinished: Whether the last frame is still incomplete.
    ///   - isNew: Whether these bytes completed an earlier frame.
    ///   - now: The current time.
    mutating func received(_ count: Int, isUnfinished: Bool, isNew: Bool, at now: ContinuousClock.Instant) {
        bytes += count
        if !isUnfinished {
            since = nil
        } else if isNew || since == nil || bytes >= BulkPace.leastBytes {
            since = now
            bytes = 0
        }
    }
}
