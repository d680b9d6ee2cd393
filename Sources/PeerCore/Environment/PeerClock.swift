import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

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

/// The system's clock.
package struct SystemClock: PeerClock {
    /// The longest time after which a call is made; a call that is scheduled for later comes too early.
    private static let longestDelay: Duration = .seconds(100 * 86_400)

    /// Creates a clock.
    package init() {}

    /// The time.
    package var now: ContinuousClock.Instant { .now }

    /// Waits until a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    package func sleep(until time: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: time, clock: .continuous)
    }

    /// Calls `body` once at a time, on an event loop, which `body` must not block.
    ///
    /// - Returns: Cancels the call, if it has not begun.
    package func schedule(
        at time: ContinuousClock.Instant,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let isOver = NIOLockedValueBox(false)
        let begin: @Sendable () -> Bool = {
            isOver.withLockedValue { isOver in
                defer { isOver = true }
                return !isOver
            }
        }
        let delay = min(time - .now, Self.longestDelay)
        let call = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(delay)) {
            if begin() { body() }
        }
        return {
            // The event loop takes several calls that are due at once, and then makes them even if they are cancelled.
            _ = begin()
            call.cancel()
        }
    }
}
