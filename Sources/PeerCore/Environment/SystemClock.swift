import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The system's clock.
package struct SystemClock: PeerClock {
    /// The longest time after which a call is made; a call that is scheduled for later comes too early.
    private static let longestDelay: Duration = .seconds(100 * 86_400)

    package init() {}

    /// The time.
    package var now: ContinuousClock.Instant { .now }

    /// Waits until a time.
    package func sleep(until time: ContinuousClock.Instant) async throws {
        try await Task.sleep(until: time, clock: .continuous)
    }

    /// Calls `body` once at a time, on an event loop, which `body` must not block.
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
