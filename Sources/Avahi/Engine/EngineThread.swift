import Dispatch
import Synchronization

/// The thread of an engine: its executor, and the only thread that waits for the daemon.
final class EngineThread: SerialExecutor {
    /// The longest time that one piece of work takes if the daemon answers.
    private static let usualTime: Duration = .milliseconds(500)

    private let queue = DispatchQueue(label: "Avahi.engine")
    private let workBegan = Mutex<ContinuousClock.Instant?>(nil)

    /// Whether the current piece of work takes longer than that.
    var isBlocked: Bool {
        workBegan.withLock { $0.map { ContinuousClock.now - $0 > Self.usualTime } ?? false }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Runs work after all earlier work.
    func run(_ work: @escaping @Sendable () -> Void) { queue.async { self.time(work) } }

    /// Runs work after a delay.
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

extension EngineThread {
    /// Delivers events and timers to an engine; those that arrive after the engine's end are dropped.
    final class Inbox: Sendable {
        private struct WeakEngine {
            weak var engine: AvahiEngine?
        }

        private let thread: EngineThread
        private let receiver = Mutex(WeakEngine())

        init(_ thread: EngineThread) { self.thread = thread }

        /// Sets the engine that receives the events.
        func connect(to engine: AvahiEngine) { receiver.withLock { $0.engine = engine } }

        /// Delivers an event, after all earlier ones.
        func yield(_ event: AvahiEngine.Event) { thread.run { self.deliver(event) } }

        /// Delivers an event after a delay.
        func yield(_ event: AvahiEngine.Event, after delay: Duration) {
            thread.run(after: delay) { self.deliver(event) }
        }

        private func deliver(_ event: AvahiEngine.Event) {
            guard let engine = receiver.withLock({ $0.engine }) else { return }
            engine.assumeIsolated { $0.handle(event) }
        }
    }
}
