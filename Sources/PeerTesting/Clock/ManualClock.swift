import NIOConcurrencyHelpers
import PeerCore

/// A clock that stands still until a test moves it.
///
/// All timers of an ``InMemoryNetwork`` and of the sessions on it follow this clock. Everything that needs no time happens
/// without moving it: a connection is opened and messages arrive at once, unless the network has a delay or a rate.
///
/// Move the clock with ``advance(until:limit:fileID:line:)``, and wait for conditions rather than for durations:
///
/// ```swift
/// network.cut("anna", "ben", silently: true)
/// try await network.clock.advance(until: { states.value.contains(.reconnecting) })
/// ```
///
/// ## What time waits for
///
/// Time moves from timer to timer, and never while the library has something to do: its tasks run one at a time on
/// ``InMemoryNetwork/executor``, and the clock waits until that executor is idle.
///
/// The tasks of the application usually run elsewhere, where the clock cannot see them. Before each step they get a chance:
/// the moving task gives way to others many times, and starts again whenever the library has had something to do meanwhile. A
/// step of more than 100 milliseconds also waits for a thousandth of its length, at most 20 milliseconds. So a task that only
/// passes values on keeps up with the clock on a machine with some time to spare. There is no guarantee: a task that computes
/// for long, waits for a file, or is held up by a busy machine, may see that time has passed.
///
/// The guarantee is there for tasks that prefer the executor of the network. A test can do this for itself and its child tasks:
///
/// ```swift
/// try await withTaskExecutorPreference(network.executor) {
///     try await network.clock.advance(by: .seconds(5))
/// }
/// ```
public final class ManualClock: Sendable {
    private struct State: Sendable {
        var now: ContinuousClock.Instant
        var timers = Timers<@Sendable () -> Void>()
    }

    private enum Step {
        /// Time has moved to the next timer.
        case moved
        /// There was something to do meanwhile, and time stands still.
        case isBusy
        /// There is no timer left, and time has moved to the end.
        case arrived
    }

    /// How often the moving task gives way before a step.
    private static let yieldCount = 64
    /// The length from which on a step waits for other tasks.
    private static let longStep: Duration = .milliseconds(100)
    private static let maximumPause: Duration = .milliseconds(20)
    /// How long a condition is awaited when no time is left.
    private static let lastChance: Duration = .seconds(1)

    private let start = ContinuousClock.now
    private let state: NIOLockedValueBox<State>
    private let executor: NetworkExecutor

    init(executor: NetworkExecutor) {
        self.executor = executor
        state = NIOLockedValueBox(State(now: start))
    }

    /// The time since the network was created.
    public var elapsed: Duration { start.duration(to: now) }

    /// Moves time, stopping at each timer on the way until nothing more is to be done.
    ///
    /// Does not return as long as there is something to do that needs no time.
    public func advance(by duration: Duration) async {
        let end = now.advanced(by: duration)
        _ = await aside { await self.move(to: end, stoppingIf: { false }) }
    }

    /// Moves time until a condition holds, and not further.
    ///
    /// If the condition does not hold when the limit is reached, it is awaited for one more second of the system's clock, because
    /// tasks of the application may be late.
    ///
    /// - Parameters:
    ///   - condition: Tested whenever nothing is to be done, on any thread.
    ///   - limit: How far time moves at most.
    ///   - fileID: The file that waits.
    ///   - line: The line that waits.
    /// - Throws: ``ConditionNotMet`` if the condition does not hold in time; `CancellationError`.
    public func advance(
        until condition: @escaping @Sendable () -> Bool,
        limit: Duration = .seconds(300),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws {
        let end = now.advanced(by: limit)
        let isMet = await aside {
            if await self.move(to: end, stoppingIf: { condition() || Task.isCancelled }) { return condition() }
            return await Self.holdsSoon(condition)
        }
        guard !isMet else { return }
        try Task.checkCancellation()
        throw ConditionNotMet(fileID: fileID, line: line, limit: limit)
    }

    /// Moves time as long as `body` runs.
    ///
    /// ```swift
    /// try await network.clock.advance { try await session.flush(to: peer) }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: How far time moves at most. A body that waits for the system's clock uses it up.
    ///   - fileID: The file that waits.
    ///   - line: The line that waits.
    ///   - body: What needs time.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` throws; ``ConditionNotMet`` if it has not ended in time.
    public func advance<Result: Sendable>(
        limit: Duration = .seconds(300),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        while body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let isDone = NIOLockedValueBox(false)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                defer { isDone.withLockedValue { $0 = true } }
                return try await body()
            }
            group.addTask {
                try await self.advance(
                    until: { isDone.withLockedValue { $0 } },
                    limit: limit,
                    fileID: fileID,
                    line: line
                )
                return nil
            }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let next { return next }
            }
            throw CancellationError()
        }
    }

    /// Moves time, and waits only for what runs on the executor of the network.
    package func run(for duration: Duration) async {
        let end = now.advanced(by: duration)
        await withCheckedContinuation { continuation in
            run(to: end) { continuation.resume() }
        }
    }

    private func run(to end: ContinuousClock.Instant, _ isDone: @escaping @Sendable () -> Void) {
        executor.execute { [self] in
            // Jobs that are queued come first.
            guard executor.isAlone else { return run(to: end, isDone) }
            let hasMoved = state.withLockedValue { state in
                guard let next = state.timers.next, next <= end else {
                    state.now = max(state.now, end)
                    return false
                }
                state.now = max(state.now, next)
                return true
            }
            guard hasMoved else { return isDone() }
            performDue()
            run(to: end, isDone)
        }
    }

    /// Moves time to `end`.
    private func move(to end: ContinuousClock.Instant, stoppingIf condition: () -> Bool) async -> Bool {
        while true {
            let turn = await settle(before: end, unless: condition)
            if condition() { return true }
            switch step(to: end, ifIdleSince: turn) {
            case .moved, .isBusy: continue
            case .arrived: return false
            }
        }
    }

    /// Waits until the executor is idle and stays so, or until the condition holds.
    private func settle(before end: ContinuousClock.Instant, unless condition: () -> Bool) async -> UInt64 {
        var hasPaused = false
        while true {
            let turn = await executor.idle()
            if condition() { return turn }
            guard await staysIdle(since: turn) else { continue }
            let step = now.duration(to: min(end, state.withLockedValue { $0.timers.next } ?? end))
            guard !hasPaused, step > Self.longStep else { return turn }
            hasPaused = true
            try? await Task.sleep(for: min(step / 1000, Self.maximumPause))
        }
    }

    private func staysIdle(since turn: UInt64) async -> Bool {
        for _ in 0..<Self.yieldCount {
            await Task.yield()
            guard executor.isIdle(since: turn) else { return false }
        }
        return true
    }

    private func step(to end: ContinuousClock.Instant, ifIdleSince turn: UInt64) -> Step {
        state.withLockedValue { state in
            guard executor.isIdle(since: turn) else { return .isBusy }
            guard let next = state.timers.next, next <= end else {
                state.now = max(state.now, end)
                return .arrived
            }
            state.now = max(state.now, next)
            executor.execute(performDue)
            return .moved
        }
    }

    @Sendable private func performDue() {
        while let action = state.withLockedValue({ $0.timers.takeDue(at: $0.now) }) { action() }
    }

    private static func holdsSoon(_ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + lastChance
        while !condition() {
            guard !Task.isCancelled, ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Moves the clock from outside of its executor, which would never be idle otherwise.
    private func aside(_ body: @Sendable () async -> Bool) async -> Bool {
        await withTaskExecutorPreference(globalConcurrentExecutor, isolation: nil) {
            // Without this, the compiler may leave the change of the thread to the next call, which may not make it.
            await Task.yield()
            return await body()
        }
    }
}

extension ManualClock: PeerClock {
    /// The time.
    package var now: ContinuousClock.Instant { state.withLockedValue { $0.now } }

    /// The number of calls that are scheduled.
    package var timerCount: Int { state.withLockedValue { $0.timers.count } }

    /// Waits until a time.
    package func sleep(until time: ContinuousClock.Instant) async throws {
        try Task.checkCancellation()
        guard time > now else { return }
        let end = Awaited<Bool>()
        let cancel = schedule(at: time) { end.fulfil(true) }
        guard await end.value(ifCancelled: false) else {
            cancel()
            throw CancellationError()
        }
    }

    /// Calls `body` once at a time, on the executor of the network.
    package func schedule(
        at time: ContinuousClock.Instant,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.withLockedValue { state in
            if time <= state.now { executor.execute(performDue) }
            return state.timers.add(at: time, body)
        }
        return { [self] in state.withLockedValue { $0.timers.remove(number) } }
    }
}

/// A condition did not hold in time.
public struct ConditionNotMet: Error, CustomStringConvertible {
    /// The file that waited.
    public let fileID: StaticString
    /// The line that waited.
    public let line: UInt
    /// How far time has moved.
    public let limit: Duration

    /// The file and the line that waited, and for how long.
    public var description: String {
        "The condition at \(fileID):\(line) does not hold after \(limit) of the network’s time."
    }
}
