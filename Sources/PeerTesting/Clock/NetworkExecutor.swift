import Dispatch
import NIOConcurrencyHelpers

/// Runs the tasks and the events of a network one after the other, and knows when nothing is left to do.
final class NetworkExecutor: TaskExecutor {
    private struct State {
        /// The number of jobs that are queued or running.
        var unfinished = 0
        /// The number of jobs so far.
        var turn: UInt64 = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let queue = DispatchQueue(label: "InMemoryNetwork")
    private let state = NIOLockedValueBox(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Calls `body` after all jobs that were queued before.
    func execute(_ body: @escaping @Sendable () -> Void) {
        state.withLockedValue {
            $0.unfinished += 1
            $0.turn &+= 1
        }
        queue.async {
            body()
            self.finishJob()
        }
    }

    private func finishJob() {
        let waiting = state.withLockedValue { state -> [CheckedContinuation<Void, Never>] in
            state.unfinished -= 1
            guard state.unfinished == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether the job that runs is the only one.
    var isAlone: Bool { state.withLockedValue { $0.unfinished == 1 } }

    /// The number of jobs so far.
    var turn: UInt64 { state.withLockedValue { $0.turn } }

    /// Waits until no job is queued or running.
    func idle() async -> UInt64 {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                if state.unfinished > 0 { state.waiting.append(continuation) }
                return state.unfinished == 0
            }
            if isIdle { continuation.resume() }
        }
        return state.withLockedValue { $0.turn }
    }

    /// Returns whether there was no job since a turn.
    func isIdle(since turn: UInt64) -> Bool {
        state.withLockedValue { $0.unfinished == 0 && $0.turn == turn }
    }
}
