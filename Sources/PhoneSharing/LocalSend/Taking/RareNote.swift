/// A note that a person reads at most once a minute, whoever causes it.
struct RareNote: Sendable {
    /// The time between two of them.
    static let interval: Duration = .seconds(60)

    private var last: ContinuousClock.Instant?

    /// Returns whether it is said now.
    mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        if let last, now - last < Self.interval { return false }
        last = now
        return true
    }
}
