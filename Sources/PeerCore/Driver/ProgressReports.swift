/// How far a transfer is, and when that is to be reported.
///
/// A pure value; the time is passed in.
struct ProgressReports: Sendable {
    /// The least time between two reports.
    private static let interval: Duration = .milliseconds(100)

    var meter = ProgressMeter()
    private var last: ContinuousClock.Instant?

    /// The progress if the last report was a while ago; nil if not, or before the first resource.
    mutating func dueReport(at now: ContinuousClock.Instant) -> TransferProgress? {
        if let last, now - last < Self.interval { return nil }
        return report(at: now)
    }

    /// The progress now; nil before the first resource.
    mutating func report(at now: ContinuousClock.Instant) -> TransferProgress? {
        guard let progress = meter.progress(at: now) else { return nil }
        last = now
        return progress
    }
}
