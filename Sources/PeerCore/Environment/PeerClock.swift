/// Tells and waits for the time: the system's clock, or one that a test moves.
package protocol PeerClock: Sendable {
    /// The time.
    var now: ContinuousClock.Instant { get }

    /// Waits until a time.
    func sleep(until time: ContinuousClock.Instant) async throws

    /// Calls `body` once at a time, on an event loop, which `body` must not block.
    func schedule(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension PeerClock {
    /// Waits for a while.
    package func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

extension PeerClock {
    /// This clock in the form of the standard library.
    package var standard: any Clock<Duration> { StandardClock(clock: self) }
}

/// A clock in the form of the standard library.
private struct StandardClock: Clock {
    let clock: any PeerClock

    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline)
    }
}
