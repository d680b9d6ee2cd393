/// How long to wait before trying again: longer every time, up to a limit.
struct Backoff: Sendable {
    private var next: Duration
    private let first: Duration
    private let limit: Duration

    init(first: Duration, limit: Duration) {
        self.next = first
        self.first = first
        self.limit = limit
    }

    /// Returns the time to wait now.
    mutating func delay() -> Duration {
        defer { next = min(next * 2, limit) }
        return next
    }

    /// Starts anew, after a success.
    mutating func reset() {
        next = first
    }
}
