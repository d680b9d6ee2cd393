import Dispatch
import Synchronization

/// The thread on which an engine works: its executor, and the only one that waits for the daemon.
final class EngineThread: SerialExecutor {
    /// How long one piece of work takes when the daemon answers.
    private static let usualTime: Duration = .milliseconds(500)

    private let queue = DispatchQueue(label: "Avahi.engine")
    private let workBegan = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether the present piece of work takes so long that something holds it up.
    var isBlocked: Bool {
        workBegan.withLock { $0.map { ContinuousClock.now - $0 > Self.usualTime } ?? false }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs work after everything that was handed over before.
    func run(_ work: @escaping @Sendable () -> Void) {
        queue.async { self.time(work) }
    }

    /// Runs work after a time.
    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let time =
            DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        queue.asyncAfter(deadline: time) { self.time(work) }
    }

    private func time(_ work: () -> Void) {
        workBegan.withLock { $0 = .now }
        work()
        workBegan.withLock { $0 = nil }
    }
}

/// The way for news and timers to an engine; those that come when it is gone are dropped.
final class EngineInbox: Sendable {
    private struct WeakEngine {
        weak var engine: AvahiEngine?
    }

    private let thread: EngineThread
    private let receiver = Mutex(WeakEngine())

    init(_ thread: EngineThread) {
        self.thread = thread
    }

    /// Says whose inbox this is.
    func connect(to engine: AvahiEngine) {
        receiver.withLock { $0.engine = engine }
    }

    /// Hands an event over; it is handled after those that came before.
    func yield(_ event: EngineEvent) {
        thread.run { self.deliver(event) }
    }

    /// Hands an event over after a time.
    func yield(_ event: EngineEvent, after delay: Duration) {
        thread.run(after: delay) { self.deliver(event) }
    }

    private func deliver(_ event: EngineEvent) {
        guard let engine = receiver.withLock({ $0.engine }) else { return }
        engine.assumeIsolated { $0.handle(event) }
    }
}
