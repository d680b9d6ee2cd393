/// Limits reports about messages, so that a peer cannot flood the application: each name once a minute, and a few names.
///
/// A pure value.
struct ReportLimit: Sendable {
    /// How long a name is not reported again.
    static let pause: Duration = .seconds(60)
    /// The most names in that time.
    static let maximumCount = 16

    private var times: [String: ContinuousClock.Instant] = [:]

    /// Whether to report a name; it counts as reported then.
    mutating func allows(_ name: String, at now: ContinuousClock.Instant) -> Bool {
        times = times.filter { now - $0.value < Self.pause }
        guard times[name] == nil, times.count < Self.maximumCount else { return false }
        times[name] = now
        return true
    }
}
