/// Tells and waits for the time: the system's clock, or one that a test moves.
package protocol PeerClock: Sendable {
    /// The time.
    var now: ContinuousClock.Instant { get }

    /// Waits until a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func sleep(until time: ContinuousClock.Instant) async throws

    /// Calls `body` once at a time, on any thread.
    ///
    /// - Returns: Cancels the call, if it has not begun.
    func schedule(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension PeerClock {
    /// Waits for a while.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}
