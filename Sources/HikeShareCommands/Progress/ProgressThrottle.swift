/// Decides which of many reports are worth a line of their own.
struct ProgressThrottle: Sendable {
    private static let interval: Duration = .seconds(3)
    private static let step = 0.1

    private var last: (time: ContinuousClock.Instant, fraction: Double)?

    /// Tells whether to write a line now: the first time, and when some time has passed or a tenth more is there.
    ///
    /// Never twice within half a second.
    mutating func isDue(at now: ContinuousClock.Instant, fraction: Double) -> Bool {
        if let last {
            let waited = now - last.time
            guard waited >= Self.interval || waited >= .milliseconds(500) && fraction - last.fraction >= Self.step
            else { return false }
        }
        last = (now, fraction)
        return true
    }
}
