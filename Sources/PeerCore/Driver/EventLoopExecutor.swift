import NIOConcurrencyHelpers
import NIOCore

/// Runs the tasks of transfers on the event loop of their connections, so that data does not move between threads.
///
/// An event loop looks at its sockets only when it has nothing else to do. So tasks run in slices of time, and between two slices
/// the event loop reads its sockets. A task that rarely waits calls ``yieldIfNeeded()`` regularly. Work that may block belongs on a
/// thread pool or, if it is the application's code, into ``offEventLoop(_:)``.
final class EventLoopExecutor: TaskExecutor {
    private struct State {
        var jobs = CircularBuffer<UnownedJob>()
        /// Whether a slice has begun or is scheduled.
        var isScheduled = false
        var endOfTurn = NIODeadline.uptimeNanoseconds(0)
    }

    // A frame of the peer, such as `cancel`, waits for at most one slice. So does a message beside a file, if both connections are
    // on one event loop: with slices of 50 ms, one in a hundred waited for 8 to 25 ms.
    /// How long tasks run until the event loop looks at its sockets.
    private static let slice = TimeAmount.milliseconds(1)
    // The event loop performs work that is due before it looks at its sockets. If a slow machine takes longer than this until then,
    // they wait for the next slice.
    /// How long to wait for the next slice: long enough that it is not due yet when the event loop becomes idle.
    private static let pause = TimeAmount.microseconds(200)

    // All connections are on event loops of the group of NIO that is never shut down: there are few, and none ends.
    private static let all = NIOLockedValueBox<[ObjectIdentifier: EventLoopExecutor]>([:])

    private let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    private init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// The one executor of an event loop: all tasks on it share its slices.
    static func of(_ eventLoop: any EventLoop) -> EventLoopExecutor {
        all.withLockedValue { all in
            let id = ObjectIdentifier(eventLoop)
            if let executor = all[id] { return executor }
            let executor = EventLoopExecutor(eventLoop)
            all[id] = executor
            return executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLockedValue { state in
            defer { state.isScheduled = true }
            state.jobs.append(job)
            return !state.isScheduled
        }
        if isFirst { eventLoop.execute(runTurn) }
    }

    @Sendable private func runTurn() {
        let end = NIODeadline.now() + Self.slice
        state.withLockedValue { $0.endOfTurn = end }
        repeat {
            guard let job = nextJob() else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        } while NIODeadline.now() < end
        eventLoop.scheduleTask(in: Self.pause, runTurn)
    }

    private func nextJob() -> UnownedJob? {
        state.withLockedValue { state in
            let job = state.jobs.popFirst()
            // Decided with the lock held, so a job that is added from now on starts a slice itself.
            state.isScheduled = job != nil
            return job
        }
    }

    /// Waits for the next slice if this one is over; to be called by tasks of this executor.
    func yieldIfNeeded() async throws {
        guard NIODeadline.now() >= state.withLockedValue({ $0.endOfTurn }) else { return }
        try await eventLoop.scheduleTask(in: Self.pause) {}.futureResult.get()
    }

    /// Runs the application's code, which may block, on threads that nothing else runs on.
    static func offEventLoop<Result: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(BlockingThreads.application, isolation: nil) { () async throws(Failure) in
            // Without this, the compiler may leave the change of the thread to the next call, which may not make it.
            await Task.yield()
            return try await body()
        }
    }
}
