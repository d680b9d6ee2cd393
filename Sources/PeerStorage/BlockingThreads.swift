import Dispatch
import NIOConcurrencyHelpers
import NIOCore

/// Threads for work that blocks, or computes for long.
///
/// Swift runs tasks on as many threads as there are cores, and the global queues of Dispatch use the same threads. Work that keeps
/// them makes all tasks of the process wait, also those that only have a timer to look at.
package final class BlockingThreads: TaskExecutor {
    /// The threads for the files of this process.
    package static let files = BlockingThreads(maximumCount: 16)

    private struct State {
        var runningCount = 0
        var waiting = CircularBuffer<@Sendable () -> Void>(initialCapacity: 0)
    }

    private let maximumCount: Int
    private let state = NIOLockedValueBox(State())

    /// Creates threads, which exist only while there is work for them.
    package init(maximumCount: Int) { self.maximumCount = maximumCount }

    /// Calls `body` once, on one of the threads.
    package func run(_ body: @escaping @Sendable () -> Void) {
        let isNew = state.withLockedValue { state in
            guard state.runningCount < maximumCount else {
                state.waiting.append(body)
                return false
            }
            state.runningCount += 1
            return true
        }
        guard isNew else { return }
        // A serial queue gets a thread even if the threads of the global queues are all busy.
        DispatchQueue(label: "PeerStorage.blocking").async {
            body()
            while let next = self.next() { next() }
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLockedValue { state in
            let next = state.waiting.popFirst()
            if next == nil { state.runningCount -= 1 }
            return next
        }
    }

    /// Runs a task, so that it may block.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
