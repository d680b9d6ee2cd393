/// The delay before the next attempt; it grows with every attempt, up to a limit.
struct Backoff: Sendable {
    private var next: Duration
    private let first: Duration
    private let limit: Duration

    init(first: Duration, limit: Duration) {
        self.next = first
        self.first = first
        self.limit = limit
    }

    /// Returns the next delay.
    mutating func delay() -> Duration {
        defer { next = min(next * 2, limit) }
        return next
    }

    /// Starts again with the shortest delay, after a success.
    mutating func reset() {
        next = first
    }
}
