/// How long a frame has been on its way of which some bytes are there and others are not.
///
/// A pure value. A byte now and then is no progress: the time starts anew only when ``BulkPace/leastBytes`` have come in it.
/// The bytes of data frames are passed on as they come and are none of its business.
struct UnfinishedFrame: Sendable {
    /// Since when less than that has come of a frame; nil if none is unfinished.
    private(set) var since: ContinuousClock.Instant?
    private var bytes = 0

    /// Bytes came.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - isUnfinished: Whether the last frame is not whole with them.
    ///   - isNew: Whether another frame became whole before that one.
    ///   - now: The time.
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
