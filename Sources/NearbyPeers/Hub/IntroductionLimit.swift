import PeerProtocol

/// Limits how many introduced members are dialed within a period.
///
/// Without it, a member could name others and withdraw them again without end, and each time this machine would dial at once.
struct IntroductionLimit: Sendable {
    /// How long introductions count.
    static let interval: Duration = .seconds(15)
    /// The most introductions within that time: every member of the largest group twice.
    static let maximumCount = 2 * (MemberRecord.maximumMemberCount - 1)

    private var start: ContinuousClock.Instant?
    private var count = 0

    /// Counts an introduction.
    ///
    /// - Returns: Whether there is room for it; else it has to wait.
    mutating func takes(at now: ContinuousClock.Instant) -> Bool {
        if let start, now - start < Self.interval {
            guard count < Self.maximumCount else { return false }
            count += 1
        } else {
            (start, count) = (now, 1)
        }
        return true
    }
}
