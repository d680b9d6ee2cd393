import Dispatch

/// The thread of an engine: its executor, which also watches the socket.
final class BusThread: SerialExecutor {
    let queue = DispatchQueue(label: "DBus.engine")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs work after all earlier work.
    func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work after a delay.
    func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let time =
            DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        queue.asyncAfter(deadline: time, execute: work)
    }
}
