import RegionStore
import SharingReports

/// Decides which of many progress reports are written as lines.
struct ProgressThrottle: Sendable {
    private static let interval: Duration = .seconds(3)
    private static let step = 0.1

    private var last: (time: ContinuousClock.Instant, fraction: Double)?

    /// Returns whether to write a line now: at the first report, after some time, and after another tenth of the total.
    ///
    /// There are never two lines within half a second.
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
