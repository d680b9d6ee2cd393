import NIOCore
import NIOPosix
import PeerTestSupport
import Testing

@testable import PeerCore

@Suite(.timeLimit(.minutes(10))) struct SystemClockTests {
    private let clock = SystemClock()

    @Test func aCallIsMadeWhenItIsDue() async {
        let (times, timesIn) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let due = clock.now + .milliseconds(50)
        _ = clock.schedule(at: due) { timesIn.yield(clock.now) }
        for await time in times {
            #expect(time >= due)
            break
        }
    }

    @Test func aCallThatIsOverdueIsMadeAtOnce() async {
        let (calls, callsIn) = AsyncStream.makeStream(of: Void.self)
        _ = clock.schedule(at: clock.now - .seconds(1000)) { callsIn.finish() }
        for await _ in calls {}
    }

    @Test func aCallInAThousandYearsCanBeScheduled() {
        clock.schedule(at: clock.now + .seconds(1000 * 365 * 86_400)) {}()
    }

    /// Also if both are due at once and the event loop has taken both.
    @Test func aCancelledCallIsNotMade() async throws {
        let isCalled = Locked(false)
        let (calls, callsIn) = AsyncStream.makeStream(of: Void.self)
        try await MultiThreadedEventLoopGroup.singleton.next().submit {
            let cancel = Locked<(@Sendable () -> Void)?>(nil)
            let now = clock.now
            _ = clock.schedule(at: now - .seconds(2)) { cancel.withLock { $0 }?() }
            cancel.withLock { $0 = clock.schedule(at: now - .seconds(1)) { isCalled.set(true) } }
            _ = clock.schedule(at: now) { callsIn.finish() }
        }.get()
        for await _ in calls {}
        #expect(!isCalled.value)
    }

    @Test func sleepingEndsInTimeOrWithTheTask() async throws {
        let end = clock.now + .milliseconds(20)
        try await clock.sleep(until: end)
        #expect(clock.now >= end)
        let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
